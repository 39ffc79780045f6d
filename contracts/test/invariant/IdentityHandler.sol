// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {IdentityModel} from "../support/IdentityModel.sol";
import {IdentityWorld} from "../support/IdentityWorld.sol";

/// @dev Drives the identity registry with a crowd of wallets of a few subjects. What each call must do is worked out
/// beforehand from a model that has seen nothing but events; a call that does otherwise fails the run.
contract IdentityHandler is IdentityWorld {
    uint256 public constant ACTIONS = 21;
    uint256 public constant WALLETS = 18;
    uint256 private constant SUBJECTS = 3;

    IdentityModel public immutable model;
    address[WALLETS] public wallets;
    uint256[ACTIONS] public hits;

    mapping(address => uint128) private _firstSubject;
    mapping(address => bool) private _wasRetired;
    mapping(address => uint256) private _proposedAt;
    mapping(address => mapping(bytes32 => bool)) private _usedText;
    uint64 private _clock;

    constructor() {
        vm.recordLogs();
        deployWorld();
        model = new IdentityModel(address(identities));
        for (uint256 i = 0; i < WALLETS; ++i) {
            wallets[i] = vm.addr(key(i));
        }
        model.feed(vm.getRecordedLogs());
        // Half of them begin verified, so that there is something to switch and recover.
        for (uint256 i = 0; i < WALLETS / 2; ++i) {
            bindWallet(key(i), uint128(1 + i % SUBJECTS));
        }
        model.feed(vm.getRecordedLogs());
        _clock = time();
    }

    modifier step() {
        vm.warp(_clock);
        _;
        model.feed(vm.getRecordedLogs());
        _clock = time();
    }

    function key(uint256 i) private pure returns (uint256) {
        return 0xC40D + i % WALLETS;
    }

    function wallet(uint256 random) private view returns (address) {
        return wallets[random % WALLETS];
    }

    /// @dev The first wallet from a random one on that has a live proposal, else the random one.
    function proposedWallet(uint256 random) private view returns (address) {
        for (uint256 i = 0; i < WALLETS; ++i) {
            if (model.pending(wallet(random % WALLETS + i), time())) return wallet(random % WALLETS + i);
        }
        return wallet(random);
    }

    /// @dev The first wallet from a random one on that has a record and is not retired, else the random one.
    function walletInUse(uint256 random) private view returns (uint256) {
        for (uint256 i = random % WALLETS; i < 2 * WALLETS; ++i) {
            IdentityModel.Wallet memory w = model.walletOf(wallet(i));
            if (w.subject != 0 && w.successor == address(0)) return i;
        }
        return random;
    }

    function anotherOfItsSubject(uint256 one, uint256 random) private view returns (uint256) {
        uint128 subject = model.walletOf(wallet(one)).subject;
        for (uint256 i = random % WALLETS; i < 2 * WALLETS; ++i) {
            IdentityModel.Wallet memory w = model.walletOf(wallet(i));
            if (w.subject == subject && w.successor == address(0) && wallet(i) != wallet(one)) return i;
        }
        return random;
    }

    function count(bool expected, bool done, uint256 hit) private {
        assertTrue(done == expected, "the call did not do what the events say it must");
        hits[done ? hit : hit + 1]++;
    }

    function attest(bytes memory data) private returns (bool done) {
        vm.prank(attester);
        (done,) = address(identities).call(data);
    }

    function bind(uint256 who, uint128 subject, uint64 until) external step {
        subject = uint128(1 + subject % SUBJECTS);
        IdentityModel.Wallet memory w = model.walletOf(wallet(who));
        bool fits = w.successor == address(0) && (w.subject == 0 || w.subject == subject);
        uint64 validUntil = uint64(within(until, time(), time() + 60 days));
        // Few different texts, so that many have been used before.
        bytes memory message = bytes.concat(MESSAGE, bytes(vm.toString(until % 2)));
        bytes memory text = bytes.concat(message, identities.requestLine(subject));
        bool expected = fits && !_usedText[wallet(who)][keccak256(text)];
        bytes memory signed = personalSign(key(who), text);
        bool done = attest(
            abi.encodeCall(identities.bind, (wallet(who), subject, validUntil, 250, 1, message, signed))
        );
        count(expected, done, 0);
        if (done) _usedText[wallet(who)][keccak256(text)] = true;
        else if (fits) hits[20]++;
    }

    function renew(uint256 who, uint64 until) external step {
        IdentityModel.Wallet memory w = model.walletOf(wallet(who));
        bool expected = w.subject != 0 && w.successor == address(0) && !w.revoked;
        uint64 validUntil = uint64(within(until, time(), time() + 60 days));
        count(expected, attest(abi.encodeCall(identities.renew, (wallet(who), validUntil))), 2);
    }

    function revokeOne(uint256 who) external step {
        IdentityModel.Wallet memory w = model.walletOf(wallet(who));
        bool expected = w.subject != 0 && w.successor == address(0) && !w.revoked;
        count(expected, attest(abi.encodeCall(identities.revoke, (wallet(who)))), 4);
    }

    function freezeOrLift(uint256 who, bool frozen) external step {
        IdentityModel.Wallet memory w = model.walletOf(wallet(who));
        bytes memory data = frozen
            ? abi.encodeCall(identities.freeze, (wallet(who)))
            : abi.encodeCall(identities.unfreeze, (wallet(who)));
        vm.prank(frozen ? guardian : owner);
        (bool done,) = address(identities).call(data);
        count(w.subject != 0 && w.successor == address(0), done, 6);
    }

    function switchOne(uint256 from, uint256 to) external step {
        // As for proposals, or hardly any switch would be possible.
        if (from % 4 != 0) to = anotherOfItsSubject(from = walletInUse(from), to);
        address old = wallet(from);
        address next = wallet(to);
        IdentityModel.Wallet memory w = model.walletOf(old);
        IdentityModel.Wallet memory n = model.walletOf(next);
        bool inUse = w.subject != 0 && w.successor == address(0) && !w.frozen;
        bool fits = n.subject == w.subject && model.verified(next, time());
        bool expected = inUse && old != next && fits;
        bytes memory signed = switchSignature(key(to), old, w.subject);
        vm.prank(old);
        (bool done,) = address(identities)
            .call(abi.encodeCall(identities.switchWallet, (next, BEFORE, AFTERWARDS, signed)));
        count(expected, done, 8);
        if (done) checkRetirement(old, next);
    }

    function proposeOne(uint256 from, uint256 to) external step {
        // Three in four between wallets in use of one subject, or hardly any would be possible.
        if (from % 4 != 0) to = anotherOfItsSubject(from = walletInUse(from), to);
        address old = wallet(from);
        address next = wallet(to);
        IdentityModel.Wallet memory w = model.walletOf(old);
        IdentityModel.Wallet memory n = model.walletOf(next);
        bool oldFits = w.subject != 0 && w.successor == address(0) && !model.pending(old, time());
        bool nextFits =
            old != next && n.subject == w.subject && n.successor == address(0) && !n.frozen && !n.revoked;
        bytes memory afterwards = withNonce(AFTERWARDS);
        bytes memory signed = recoverySignature(key(to), old, w.subject, afterwards);
        bool done =
            attest(abi.encodeCall(identities.proposeRecovery, (old, next, BEFORE, afterwards, signed)));
        count(oldFits && nextFits, done, 10);
        if (done) _proposedAt[old] = time();
    }

    function vetoOne(uint256 who) external step {
        address old = who % 2 == 0 ? proposedWallet(who) : wallet(who);
        bool expected = model.pending(old, time());
        vm.prank(old);
        (bool done,) = address(identities).call(abi.encodeCall(identities.vetoRecovery, ()));
        count(expected, done, 12);
    }

    function cancelOne(uint256 who) external step {
        address old = who % 2 == 0 ? proposedWallet(who) : wallet(who);
        bool expected = model.pending(old, time());
        count(expected, attest(abi.encodeCall(identities.cancelRecovery, (old))), 14);
    }

    function executeOne(uint256 who, bool patiently) external step {
        address old = proposedWallet(who);
        IdentityModel.Wallet memory w = model.walletOf(old);
        if (patiently && model.pending(old, time()) && time() < w.executableAt) vm.warp(w.executableAt);
        IdentityModel.Wallet memory n = model.walletOf(w.proposed);
        bool due = model.pending(old, time()) && time() >= w.executableAt;
        bool fits = n.successor == address(0) && !n.frozen && !n.revoked;
        (bool done,) = address(identities).call(abi.encodeCall(identities.executeRecovery, (old)));
        count(due && fits, done, 16);
        if (!done) return;
        assertTrue(time() >= _proposedAt[old] + 72 hours, "executed before 72 hours had passed");
        if (w.frozen) assertStatus(w.proposed, IdentityRegistry.Status.Frozen, "a freeze goes over");
        checkRetirement(old, w.proposed);
    }

    /// @dev Every wallet tries to gain shares: it works for those with a live record and for no other.
    function enter(uint256 who) external step {
        address to = wallet(who);
        fund(to, MIN_DEPOSIT);
        if (time() > vault.lastReportAsOf() + REPORT_AGE) reportGain(0);
        bool expected = model.verified(to, time());
        vm.prank(to);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", MIN_DEPOSIT, to));
        count(expected, done, 18);
    }

    function wait(uint256 amount) external step {
        skip(within(amount, 1, 10 days));
    }

    // ── What must hold ──────────────────────────────────────────────────────────────────────────────────────────────

    function checkRetirement(address old, address next) private {
        _wasRetired[old] = true;
        uint128 subject = identities.recordOf(old).subject;
        assertTrue(subject != 0 && identities.recordOf(next).subject == subject, "crossed subjects");
    }

    function checkAll() external {
        vm.warp(_clock);
        for (uint256 i = 0; i < WALLETS; ++i) {
            address w = wallets[i];
            IdentityRegistry.Status status = identities.statusOf(w);
            IdentityRegistry.Record memory record = identities.recordOf(w);
            bool verified = status == IdentityRegistry.Status.Verified;
            assertEq(uint256(status), uint256(model.statusOf(w, _clock)), "events rebuild the states");
            assertTrue(identities.canReceive(w) == verified, "only the verified receive");
            assertTrue(
                identities.canSend(w) == (verified || status == IdentityRegistry.Status.ExitOnly),
                "the verified and the exit-only send"
            );

            if (_firstSubject[w] == 0) _firstSubject[w] = record.subject;
            assertEq(record.subject, _firstSubject[w], "a wallet never changes its subject");

            address successor = identities.successorOf(w);
            assertEq(successor, model.lastSuccessorOf(w), "events rebuild the successors");
            assertTrue((status == IdentityRegistry.Status.Retired) == _wasRetired[w], "retired once, retired for ever");
            assertTrue((successor != address(0)) == _wasRetired[w], "the retired have a successor and nobody else");
            if (successor == address(0)) continue;
            assertEq(identities.recordOf(successor).subject, record.subject, "a successor of another subject");
            assertTrue(
                identities.statusOf(successor) != IdentityRegistry.Status.Retired, "a chain ends in a wallet in use"
            );
        }
    }
}
