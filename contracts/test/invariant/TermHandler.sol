// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {TestDollar} from "../../src/local/TestDollar.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {HookedAsset} from "../support/Assets.sol";
import {TermModel} from "../support/TermModel.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Drives two time-deposit products the way their users, operators and enemies do, keeps its own books and checks after
/// each step what must hold for that step. Each step concerns one product; the other, and a vault beside them, must stay. Every action counts when it really did something (`hits`).
contract TermHandler is TermWorld {
    uint256 public constant ACTIONS = 40;
    uint256 private constant ACTORS = 4;

    struct Sums {
        uint256 liabilities;
        uint256 reserved;
        uint256 claimable;
        uint256[4] principals;
        uint256[ACTORS] balances;
    }

    struct Product {
        TermDeposit term;
        TestDollar dollar;
        TermModel model;
        string shortId;
        uint256 came;
        uint256 went;
        uint256 donated;
        /// Most ever paid out on a receipt, to see that none is paid twice.
        mapping(uint256 id => uint256) paidOn;
        /// Paid for parts that left a receipt early.
        mapping(uint256 id => uint256) paidForParts;
        /// A hostile owner has set limits.
        bool changed;
        bytes32 print;
    }

    /// @dev The first has an asset of 6 decimals, the second one of 18 decimals with a hook.
    Product[2] private _products;
    uint256 private _which;
    TermModel private model;
    /// @dev One whole token.
    uint256 private unit;
    address[ACTORS] public actors;
    uint256[ACTORS] private _keys;
    uint256[ACTIONS] public hits;
    bytes32 private immutable _vaultPrint;

    uint64 private _clock;
    uint256 private _nextKey = 0xF4E50;

    constructor() {
        vm.recordLogs();
        deployWorld();
        depositFor(alice, 1000 * DOLLAR);
        request(alice, 1e6);
        addProduct(0, "solar-term", 6);
        dollar = TestDollar(address(new HookedAsset(18)));
        addProduct(1, "wind-term", 18);
        // The last one is never bound.
        _keys = [ALICE_KEY, BOB_KEY, 0xDA4E, CAROL_KEY];
        for (uint256 i = 0; i < ACTORS; ++i) {
            actors[i] = vm.addr(_keys[i]);
        }
        bindWallet(0xDA4E, 0xd4);
        _clock = time();
        _vaultPrint = vaultPrint();
    }

    function addProduct(uint256 which, string memory shortId, uint8 decimals) private {
        Product storage made = _products[which];
        unit = 10 ** decimals;
        TermDeposit.Parameters memory parameters = termParameters(10 * unit);
        (parameters.evidenceUntil, parameters.cap) = (time() + 400 days, 10_000_000 * unit);
        term = createTerm(IERC20(address(dollar)), identities, parameters);
        listAndAuthorize(shortId, term, IERC20(address(dollar)));
        addTerms(term);
        (made.term, made.dollar, made.shortId) = (term, dollar, shortId);
        made.model = new TermModel(address(term));
        use(which);
        restoreSettings();
        fundReserve(100_000 * unit);
        made.came = 100_000 * unit;
        made.model.feed(vm.getRecordedLogs());
        made.print = fingerprint(which);
    }

    function use(uint256 which) private {
        Product storage used = _products[which];
        (_which, term, dollar, model, unit) = (which, used.term, used.dollar, used.model, which == 0 ? 1e6 : 1e18);
    }

    function own() private view returns (Product storage) {
        return _products[_which];
    }

    function restoreSettings() private {
        own().changed = false;
        vm.prank(owner);
        term.setLimits(10_000_000 * unit, 10 * unit);
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(owner);
            term.setTerm(i, 10_000_000 * unit, true);
        }
    }

    /// @dev What no call on another product changes, however much time passes.
    function fingerprint(uint256 which) private view returns (bytes32) {
        TermDeposit of_ = _products[which].term;
        (uint256 cap, uint256 least, uint256 until) = of_.limits();
        bytes32 limits = keccak256(abi.encode(cap, least, until, of_.evidenceUntil(), products.isOpen(address(of_))));
        return keccak256(abi.encode(limits, of_.books(), _products[which].dollar.balanceOf(address(of_))));
    }

    function vaultPrint() private view returns (bytes32) {
        (uint256 requested,, uint256 processed, uint256 paid) = queue.totals();
        (int256 settled, uint256 streaming,,) = vault.stream();
        bytes32 desk = keccak256(abi.encode(vault.desk(), vault.cap(), vault.pausedUntil()));
        return keccak256(
            abi.encode(desk, settled, streaming, vault.totalSupply(), vault.balanceOf(alice), requested, processed, paid)
        );
    }

    /// @dev Checks around each action: nobody without a live record gains, a receipt's status follows the diagram.
    modifier step() {
        vm.warp(_clock);
        use(uint256(keccak256(msg.data)) % 3 == 0 ? 1 : 0);
        if (_which == 1) arm(uint256(keccak256(msg.data)) >> 8);
        uint256[ACTORS] memory receipts;
        bool[ACTORS] memory live;
        for (uint256 i = 0; i < ACTORS; ++i) {
            receipts[i] = term.balanceOf(actors[i]);
            live[i] = identities.statusOf(actors[i]) == IdentityRegistry.Status.Verified;
        }
        uint256 count = model.count();
        uint256[] memory statuses = new uint256[](count + 1);
        for (uint256 id = 1; id <= count; ++id) {
            statuses[id] = receiptOf(id).status;
        }
        _;
        for (uint256 i = 0; i < ACTORS; ++i) {
            if (!live[i]) assertAtMost(term.balanceOf(actors[i]), receipts[i], "a receipt without a live record");
        }
        for (uint256 id = 1; id <= count; ++id) {
            uint256 status = receiptOf(id).status;
            // Time may have passed first.
            uint256 from = Receipts.statusAt(statuses[id], maturityOf(id), time());
            assertTrue(status == from || Receipts.allowed(from, status), "along the diagram");
        }
        if (_which == 1) disarm();
        model.feed(vm.getRecordedLogs());
        assertEq(fingerprint(1 - _which), _products[1 - _which].print, "another product changed");
        assertEq(vaultPrint(), _vaultPrint, "a vault changed");
        own().print = fingerprint(_which);
        _clock = time();
    }

    function actor(uint256 random) private view returns (address) {
        return actors[random % ACTORS];
    }

    /// @dev A live receipt of the given status, when there is one; else 0.
    function pick(uint256 random, uint256 status) private view returns (uint256) {
        uint256 count = model.count();
        for (uint256 i = 0; i < count; ++i) {
            uint256 id = 1 + (random % count + i) % count;
            if (receiptOf(id).status == status) return id;
        }
        return 0;
    }

    function pickLive(uint256 random) private view returns (uint256 id) {
        id = pick(random, random % 2 == 0 ? Receipts.ACTIVE : Receipts.MATURED);
        if (id == 0) id = pick(random, random % 2 == 0 ? Receipts.MATURED : Receipts.ACTIVE);
    }

    function attempt(address caller, bytes memory call) private returns (bool done, bytes4 reason) {
        model.feed(vm.getRecordedLogs());
        bytes memory answer;
        vm.prank(caller);
        (done, answer) = address(term).call(call);
        if (done) return (true, 0);
        reason = bytes4(answer);
        // forge records what a call said before it reverted, which no chain does.
        vm.getRecordedLogs();
    }

    function books() private view returns (TermDeposit.Books memory) {
        return term.books();
    }

    function paid(uint256 id, uint256 amount) private {
        own().paidOn[id] += amount;
        own().went += amount;
    }

    // ── Depositors ──────────────────────────────────────────────────────────────────────────────────────────────────

    function open(uint256 who, uint256 termId, uint256 amount) external step {
        address account = actor(who);
        // Seldom with what a hostile owner has set, or hardly any deposit would be possible.
        if (own().changed && amount % 4 != 0) restoreSettings();
        amount = within(amount, 10 * unit, 1_000_000 * unit);
        fundTerm(account, amount);
        openAs(account, termId % 4, amount);
    }

    function openAs(address account, uint256 termId, uint256 principal) private {
        (uint256 maturity, uint256 interest) = term.quote(termId, principal);
        (bool done, bytes4 reason) = attempt(account, abi.encodeCall(term.open, (termId, principal, maturity)));
        if (!done) {
            if (reason == TermEvents.ReserveExhausted.selector) hits[1]++;
            else if (reason == TermEvents.ProductWindingDown.selector) hits[2]++;
            else if (!identities.canReceive(account)) hits[3]++;
            else if (reason == TermEvents.EvidenceLapsed.selector) hits[28]++;
            else assertTrue(pausedOrClosed() || own().changed, "refused without a reason");
            return;
        }
        assertTrue(identities.canReceive(account), "a deposit without a live record");
        assertTrue(time() < term.evidenceUntil(), "a deposit on lapsed evidence");
        uint256 id = model.count() + 1;
        assertEq(maturityOf(id), maturity, "the quoted maturity");
        assertEq(dueOf(id), principal + interest, "the quoted interest");
        own().came += principal;
        hits[0]++;
    }

    function pausedOrClosed() private view returns (bool) {
        (,, uint256 pausedUntil) = term.limits();
        return time() < pausedUntil || !products.isOpen(address(term));
    }

    function close(uint256 random) external step {
        uint256 id = pick(random, Receipts.MATURED);
        if (id == 0) id = pick(random, Receipts.ACTIVE);
        if (id == 0) return;
        if (time() < maturityOf(id)) vm.warp(maturityOf(id));
        address holder = term.ownerOf(id);
        uint256 due = dueOf(id);
        uint256 before = dollar.balanceOf(holder);
        (bool done, bytes4 reason) = attempt(holder, abi.encodeCall(term.close, (id)));
        if (!done) {
            if (reason == TermEvents.InsufficientCash.selector) hits[5]++;
            else assertTrue(books().claims > 0 || !identities.canSend(holder), "a closing stopped");
            return;
        }
        assertEq(dollar.balanceOf(holder) - before, due, "paid what is due");
        paid(id, due);
        (done,) = attempt(holder, abi.encodeCall(term.close, (id)));
        assertTrue(!done, "paid twice");
        hits[4]++;
    }

    /// @dev The whole principal a third of the time, else any part of it.
    function exitEarly(uint256 random, uint256 part) external step {
        uint256 id = pick(random, Receipts.ACTIVE);
        if (id == 0) return;
        uint256 whole = receiptOf(id).principal;
        part = random % 3 == 0 ? whole : within(part, 1, whole);
        if (part < whole) return exitWith(id, part);
        uint256 out = term.quoteExit(id, time());
        assertEq(out, payoutOf(receiptOf(id), whole), "the quote is of the whole");
        if (!exits(id, whole, out)) return;
        paid(id, out);
        hits[6]++;
    }

    function exitWith(uint256 id, uint256 part) private {
        TermDeposit.Deposit memory deposit = receiptOf(id);
        uint256 quoted = term.quoteExit(id, time());
        uint256 out = payoutOf(deposit, part);
        if (!exits(id, part, out)) return;
        own().paidForParts[id] += out;
        own().went += out;
        assertAtMost(out + term.quoteExit(id, time()), quoted, "a part and the rest pay no more than the whole");
        checkRest(id, deposit, deposit.principal - part);
        hits[39]++;
    }

    function exits(uint256 id, uint256 principal, uint256 out) private returns (bool done) {
        address holder = term.ownerOf(id);
        uint256 before = dollar.balanceOf(holder);
        (done,) = attempt(holder, abi.encodeCall(term.exitEarly, (id, principal, out)));
        if (done) assertEq(dollar.balanceOf(holder) - before, out, "paid what its principal earned, less the penalty");
    }

    function payoutOf(TermDeposit.Deposit memory deposit, uint256 part) private view returns (uint256) {
        TermDeposit.Term memory t = term.termOf(deposit.termId);
        uint256 earned = part * t.breakRate * (time() - deposit.openedAt) / (365 days * WAD);
        return part - (part * t.penalty + WAD - 1) / WAD + earned;
    }

    function checkRest(uint256 id, TermDeposit.Deposit memory before, uint256 rest) private view {
        (, uint256 minDeposit,) = term.limits();
        assertAtMost(minDeposit, rest, "the rest is no dust");
        TermDeposit.Deposit memory deposit = receiptOf(id);
        assertTrue(
            deposit.principal == rest && deposit.openedAt == before.openedAt && deposit.maturity == before.maturity
                && deposit.termId == before.termId && deposit.status == Receipts.ACTIVE,
            "the rest keeps its term"
        );
        assertTrue(dueOf(id) > rest, "and earns");
        // In the callback its owner may have given another instruction.
        if (_which == 0) {
            assertTrue(deposit.roll == before.roll && deposit.rollTermId == before.rollTermId, "and its instruction");
        }
    }

    function rollover(uint256 random, uint256 termId, uint256 what) external step {
        uint256 id = pick(random, Receipts.MATURED);
        if (id == 0) return;
        rolled(id, 1 + what % 2, term.ownerOf(id), abi.encodeCall(term.rollover, (id, termId % 4, 0, 1 + what % 2)), 7);
    }

    function setAutoRoll(uint256 random, uint256 termId, uint256 what) external step {
        uint256 id = pickLive(random);
        if (id == 0) return;
        vm.prank(term.ownerOf(id));
        term.setAutoRoll(id, termId % 4, 0, what % 3);
        hits[8]++;
    }

    function autoRoll(uint256 random) external step {
        uint256 id = pickInstructed(random, Receipts.MATURED);
        if (id == 0 || random % 2 == 0) {
            // Time goes on until the next one matures, or a little longer.
            uint256 next = pickInstructed(random, Receipts.ACTIVE);
            if (next != 0) {
                id = next;
                vm.warp(maturityOf(id) + random % 4 days);
            }
        }
        if (id == 0) return;
        bool late = time() > maturityOf(id) + term.AUTO_ROLL_WINDOW();
        bool done = rolled(id, receiptOf(id).roll, actors[3], abi.encodeCall(term.autoRoll, (id)), 9);
        assertTrue(!(late && done), "carried out too late");
        if (late) hits[10]++;
    }

    function pickInstructed(uint256 random, uint256 status) private view returns (uint256) {
        uint256 count = model.count();
        for (uint256 i = 0; i < count; ++i) {
            uint256 id = 1 + (random % count + i) % count;
            if (receiptOf(id).status == status && receiptOf(id).roll != 0) return id;
        }
        return 0;
    }

    function rolled(uint256 id, uint256 what, address caller, bytes memory call, uint256 hit)
        private
        returns (bool done)
    {
        address holder = term.ownerOf(id);
        uint256 due = dueOf(id);
        uint256 principal = receiptOf(id).principal;
        uint256 before = dollar.balanceOf(holder);
        (done,) = attempt(caller, call);
        if (!done) return false;
        assertTrue(time() < term.evidenceUntil(), "a new term on lapsed evidence");
        uint256 interest = what == 1 ? due - principal : 0;
        assertEq(dollar.balanceOf(holder) - before, interest, "the interest is paid, or nothing");
        uint256 newId = model.count() + 1;
        assertEq(receiptOf(newId).principal, due - interest, "the rest is the new principal");
        assertEq(term.ownerOf(newId), holder, "of the same owner");
        own().paidOn[id] += due;
        own().went += interest;
        hits[hit]++;
    }

    /// @dev Any wallet to any other, allowed or not; `step` catches a gain that must not be.
    function transfer(uint256 random, uint256 to) external step {
        uint256 id = pickLive(random);
        if (id == 0) return;
        address from = term.ownerOf(id);
        address receiver = actor(to);
        bool allowed = identities.canTransfer(from, receiver);
        (bool done,) = attempt(from, abi.encodeCall(term.transferFrom, (from, receiver, id)));
        assertTrue(done == allowed, "transfers are gated");
        hits[done ? 11 : 12]++;
    }

    /// @dev Someone tries each way to another's money.
    function steal(uint256 random, uint256 who) external step {
        uint256 id = pickLive(random);
        if (id == 0) return;
        address thief = actor(who);
        if (thief == term.ownerOf(id)) thief = actors[3];
        bytes[5] memory calls = [
            abi.encodeCall(term.close, (id)),
            abi.encodeCall(term.exitEarly, (id, within(who, 1, receiptOf(id).principal), 0)),
            abi.encodeCall(term.claim, (id)),
            abi.encodeCall(term.rollover, (id, WEEK, 0, 1)),
            abi.encodeCall(term.setAutoRoll, (id, YEAR, 0, 2))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool done,) = attempt(thief, calls[i]);
            assertTrue(!done, "another's receipt");
        }
        hits[13]++;
    }

    // ── Operators ───────────────────────────────────────────────────────────────────────────────────────────────────

    function fund(uint256 amount) external step {
        amount = within(amount, 1, 20_000 * unit);
        fundReserve(amount);
        own().came += amount;
        hits[14]++;
    }

    function withdrawInterest(uint256 amount) external step {
        amount = within(amount, 1, 50_000 * unit);
        uint256 free = freeOrNone();
        (bool done,) = attempt(treasurer, abi.encodeCall(term.withdrawInterest, (amount)));
        if (!done) return;
        assertAtMost(amount, free, "more than is free");
        own().went += amount;
        hits[15]++;
    }

    function freeOrNone() private view returns (uint256) {
        TermDeposit.Books memory b = books();
        return b.cash + b.deployed > b.liabilities ? b.cash + b.deployed - b.liabilities : 0;
    }

    function deploy(uint256 amount) external step {
        TermDeposit.Books memory b = books();
        // In a winding down nothing may be deployed, and what was drawn can exceed the principals.
        uint256 principal = b.claims == 0 ? b.liabilities - b.reserved : b.liabilities;
        uint256 kept = (principal * BUFFER + WAD - 1) / WAD;
        uint256 most = principal - kept;
        if (amount % 2 == 0 && most > b.deployed) amount = most - b.deployed;
        else amount = within(amount, 1, principal + 1);
        (bool done,) = attempt(treasurer, abi.encodeCall(term.deploy, (amount)));
        bool allowed = b.claims == 0 && b.deployed + amount + kept <= principal;
        assertTrue(done == allowed, "the buffer is the bound");
        if (!done) return;
        own().went += amount;
        hits[16]++;
    }

    function repay(uint256 amount, bool all) external step {
        uint256 deployed = books().deployed;
        if (deployed == 0) return;
        amount = all ? deployed : within(amount, 1, deployed);
        repayFunds(amount);
        own().came += amount;
        hits[17]++;
    }

    function lose(uint256 amount, uint256 how) external step {
        TermDeposit.Books memory b = books();
        if (b.deployed == 0) return;
        uint256 free = freeOrNone();
        // Seldom more than the free interest bears, since that is the end.
        bool large = how % 6 == 0;
        if (!large && free == 0) return;
        uint256 most = large || b.deployed < free ? b.deployed : free;
        amount = within(amount, large ? most / 2 + 1 : 1, large ? most : 1 + most / 10);
        if (amount > most) amount = most;
        bookLoss(amount);
        bool ends = b.claims == 0 && amount > free;
        assertTrue((books().claims > 0) == (ends || b.claims > 0), "what the free interest bears ends nothing");
        hits[ends ? 19 : 18]++;
    }

    function demand(uint256 random) external step {
        uint256 id = pick(random, Receipts.MATURED);
        if (id == 0 || books().claims > 0) return;
        for (uint256 i = 0; i < model.count() && !missing(id); ++i) {
            uint256 other = pick(random / 2 + i, Receipts.MATURED);
            if (missing(other)) id = other;
        }
        bool missed = missing(id);
        (bool done,) = attempt(actors[3], abi.encodeCall(term.demand, (id)));
        if (!done) return;
        assertTrue(missed, "there was the cash");
        hits[books().claims > 0 ? 21 : 20]++;
        if (books().claims > 0) return;
        if (random % 2 == 0) return bringDemanded(id, random);
        // Three to five days later it is missed still.
        skip(within(random, 3 days, 5 days));
        vm.prank(actors[3]);
        term.demand(id);
        assertTrue(books().claims > 0, "missed for three days");
        hits[21]++;
    }

    /// @dev Just enough, by whoever has it: nothing else can be done with it.
    function bringDemanded(uint256 id, uint256 random) private {
        address holder = term.ownerOf(id);
        TermDeposit.Books memory b = books();
        uint256 amount = receiptOf(id).principal + b.reserved - b.cash;
        uint256 due = dueOf(id);
        // In the callback the owner could give the receipt away.
        if (_which == 1) disarm();
        uint256 before = dollar.balanceOf(holder);
        address payer = random % 4 == 0 ? actors[3] : custodian;
        fundTerm(payer, amount);
        vm.prank(payer);
        term.repayAndClose(amount, id);
        own().came += amount;
        assertEq(dollar.balanceOf(holder) - before, due, "its owner is paid");
        assertEq(books().cash, b.cash + amount - due, "and nothing is left of it to take");
        paid(id, due);
        hits[30]++;
    }

    function missing(uint256 id) private view returns (bool) {
        TermDeposit.Books memory b = books();
        return b.cash < receiptOf(id).principal + b.reserved;
    }

    function claim(uint256 random) external step {
        uint256 id = pickLive(random);
        if (id == 0) return;
        address holder = term.ownerOf(id);
        uint256 amount = term.claimable(id);
        uint256 before = dollar.balanceOf(holder);
        (bool done,) = attempt(holder, abi.encodeCall(term.claim, (id)));
        assertTrue(done == (amount > 0 && identities.canSend(holder)), "claims are never stopped");
        if (!done) return;
        assertEq(dollar.balanceOf(holder) - before, amount, "paid what was claimable");
        paid(id, amount);
        hits[22]++;
    }

    function wait(uint256 amount, bool exactly) external step {
        uint256 id = pick(amount, Receipts.ACTIVE);
        // To the second of a maturity, or the one before.
        if (exactly && id != 0) vm.warp(maturityOf(id) - amount % 2);
        else skip(within(amount, 1, amount % 6 == 1 ? 60 days : 20 days));
        hits[23]++;
    }

    function donate(uint256 amount) external step {
        amount = within(amount, 1, 1e9 * unit);
        dollar.mint(address(term), amount);
        own().donated += amount;
        hits[24]++;
    }

    // ── Records, pause and status ───────────────────────────────────────────────────────────────────────────────────

    function loseRecord(uint256 who, bool byFreeze) external step {
        address wallet = actors[who % 3];
        // Seldom, or nobody has a record most of the time.
        if (who % 4 != 0) return;
        if (byFreeze) freeze(wallet, true);
        else if (identities.recordOf(wallet).flags & 1 == 0) revoke(wallet);
        hits[25]++;
    }

    function regainRecord(uint256 who) external step {
        uint256 i = who % 3;
        freeze(actors[i], false);
        bindWallet(_keys[i], identities.recordOf(actors[i]).subject);
    }

    /// @dev A wallet moves to a new one, and someone pulls its receipts after it.
    function replaceWallet(uint256 who) external step {
        uint256 i = who % 3;
        address old = actors[i];
        if (identities.statusOf(old) != IdentityRegistry.Status.Verified) return;
        switchTo(old, ++_nextKey);
        (actors[i], _keys[i]) = (vm.addr(_nextKey), _nextKey);
        model.feed(vm.getRecordedLogs());
        uint256 which = _which;
        for (uint256 j = 0; j < 2; ++j) {
            use(j);
            recoverAll(old, actors[i]);
            own().print = fingerprint(j);
        }
        use(which);
        hits[26]++;
    }

    function recoverAll(address old, address successor) private {
        uint256 count = term.balanceOf(old);
        uint256[] memory ids = new uint256[](count);
        uint256 found;
        for (uint256 id = 1; found < count; ++id) {
            if (owned(id) == old) ids[found++] = id;
        }
        term.recover(old, ids);
        assertEq(term.balanceOf(old), 0, "nothing is left behind");
        assertEq(term.balanceOf(successor), count, "everything has moved");
        model.feed(vm.getRecordedLogs());
    }

    function pauseOrClose(uint256 amount) external step {
        (,, uint256 until) = term.limits();
        if (amount % 5 == 0) {
            attempt(guardian, abi.encodeCall(term.pause, ()));
        } else if (time() < until) {
            vm.prank(owner);
            term.unpause();
        }
        if (amount % 7 == 0) closeProduct(own().shortId);
        else openProduct(own().shortId);
        hits[27]++;
    }

    /// @dev The reporter renews the evidence, seldom for long, or the owner lets it lapse soon.
    function renewEvidence(uint256 amount, bool shorten) external step {
        uint64 until = time() + uint64(within(amount, 1, amount % 3 == 0 ? 400 days : 30 days));
        if (shorten && amount % 4 == 0) {
            vm.prank(owner);
            term.setEvidence("document", time() + 1 + uint64(amount % 2 days));
            return;
        }
        bool later = until > term.evidenceUntil();
        (bool done,) = attempt(reporter, abi.encodeCall(term.renewEvidence, ("document", until)));
        assertTrue(done == later, "the reporter never shortens it");
        if (done) hits[29]++;
    }

    // ── Re-entry and hostile roles ──────────────────────────────────────────────────────────────────────────────────

    /// @dev Half of the time the asset calls back in the middle of the next transfer.
    function arm(uint256 random) private {
        if (random % 2 == 0) return;
        HookedAsset(address(dollar)).arm(address(this), abi.encodeCall(this.strike, (random >> 1)));
    }

    function disarm() private {
        HookedAsset asset = HookedAsset(address(dollar));
        // The asset goes on when the callback reverts.
        asset.rethrow();
        asset.arm(address(0), "");
    }

    /// @dev Called by the asset: the owner of a receipt tries each call that moves money or receipts.
    function strike(uint256 random) external {
        if (msg.sender != address(dollar)) return;
        uint256 id = pickLive(random);
        if (id == 0 || owned(id) == address(0)) return;
        address who = owned(id);
        bytes[8] memory calls = [
            abi.encodeCall(term.close, (id)),
            abi.encodeCall(term.exitEarly, (id, within(random >> 8, 1, receiptOf(id).principal), 0)),
            abi.encodeCall(term.claim, (id)),
            abi.encodeCall(term.rollover, (id, WEEK, 0, 1)),
            abi.encodeCall(term.autoRoll, (id)),
            abi.encodeCall(term.demand, (id)),
            abi.encodeCall(term.setAutoRoll, (id, YEAR, 0, 2)),
            abi.encodeCall(term.transferFrom, (who, actor(random >> 8), id))
        ];
        vm.prank(who);
        (bool done,) = address(term).call(calls[random % 8]);
        assertTrue(!done || random % 8 > 5, "the product is entered twice");
        hits[done ? 32 : 31]++;
    }

    /// @dev Calls of an operator's key with any values, of its own power half of the time. 8 is nobody's power, 9 anyone's.
    function abuse(uint256 what, uint256 role, uint256 a, uint256 b) external step {
        // Losses are the strongest power.
        what = what % 20 < 15 ? what % 20 : 3;
        uint256 power = [uint256(0), 0, 0, 1, 1, 2, 3, 2, 2, 2, 9, 8, 8, 5, 5][what];
        role = role % 2 == 0 && power != 8 ? (power == 9 ? 4 : power) : role / 2 % 6;
        address caller = [treasurer, reporter, owner, guardian, custodian, confirmer][role];
        if (!abused(what, caller, abuseOf(what, caller, a, b), pickLive(b))) {
            hits[38]++;
            return;
        }
        assertTrue(power == role || power == 9, "beyond a role's power");
        if (what == 3) decideOnLoss(b % 16 != 0);
        if (what == 8 || what == 9) own().changed = true;
        if (role < 5) hits[33 + role]++;
    }

    function abused(uint256 what, address caller, bytes memory data, uint256 id) private returns (bool done) {
        TermDeposit.Books memory before = books();
        uint256 had = dollar.balanceOf(caller);
        uint256 due = id == 0 ? 0 : term.claimable(id);
        (done,) = attempt(caller, data);
        if (!done) return false;
        assertAtMost(dollar.balanceOf(caller), had, "no role is paid");
        if (id != 0) assertAtMost(due, term.claimable(id), "no role takes from a claim");
        checkAbuse(what, before);
    }

    function abuseOf(uint256 what, address caller, uint256 a, uint256 b) private returns (bytes memory) {
        uint256 id = pickLive(b);
        uint256 any = a % 3 == 0 ? a : within(a, 1, 50_000 * unit);
        if (what == 0) {
            fundTerm(treasurer, any = within(a, 1, 20_000 * unit));
            return abi.encodeCall(term.fundInterest, (any));
        }
        if (what == 1) return abi.encodeCall(term.withdrawInterest, (any));
        if (what == 2) return abi.encodeCall(term.deploy, (any));
        // Mostly what the free interest bears, since more is the end unless it is taken back.
        if (what == 3) return abi.encodeCall(term.bookLoss, (b % 4 == 0 ? a : within(a, 0, freeOrNone()), "evidence"));
        if (what == 4) return abi.encodeCall(term.renewEvidence, (bytes32(b), uint64(within(a, 0, time() + 500 days))));
        if (what == 5) return abi.encodeCall(term.setEvidence, (bytes32(b), uint64(within(a, 0, time() + 500 days))));
        if (what == 6) return abi.encodeCall(term.pause, ());
        if (what == 7) return abi.encodeCall(term.unpause, ());
        if (what == 8) return abi.encodeCall(term.setTerm, (b % 5, a % 2 == 0 ? a : any, b % 3 == 0));
        if (what == 9) return abi.encodeCall(term.setLimits, (a % 2 == 0 ? a : any, b % 2 == 0 ? b : b % unit));
        if (what == 10) {
            fundTerm(caller, any = within(a, 1, 1000 * unit));
            return abi.encodeCall(term.repay, (any));
        }
        if (what == 11) return abi.encodeCall(term.transferFrom, (owned(id), caller, id));
        if (what == 12) return abi.encodeCall(term.claim, (id));
        if (what == 13) return abi.encodeCall(term.confirmLoss, ());
        return abi.encodeCall(term.takeBackLoss, ());
    }

    /// @dev What no key can do, whatever it calls.
    function checkAbuse(uint256 what, TermDeposit.Books memory before) private {
        TermDeposit.Books memory b = books();
        assertEq(b.liabilities, before.liabilities, "no role changes what is owed");
        assertEq(b.reserved, before.reserved, "nor the reserved interest");
        if (b.cash > before.cash) own().came += b.cash - before.cash;
        else own().went += before.cash - b.cash;
        if (what == 1 || what == 2) {
            assertAtMost(b.liabilities, b.cash + b.deployed, "only free interest leaves for good");
        } else {
            assertAtMost(before.cash, b.cash, "no other call takes cash");
        }
        assertEq(b.claims, before.claims, "no role winds the product down by itself");
    }

    /// @dev The confirmer takes the reporter's loss back and lets the next one be reviewed, or confirms it.
    function decideOnLoss(bool takenBack) private {
        (uint256 reviewed,) = term.reviewedLoss();
        if (reviewed == 0) return;
        TermDeposit.Books memory before = books();
        if (!takenBack) {
            confirmLossOfTerm();
            assertEq(books().claims, before.liabilities, "a confirmed one winds the product down");
            hits[19]++;
            return;
        }
        vm.prank(confirmer);
        term.takeBackLoss();
        assertEq(keccak256(abi.encode(books())), keccak256(abi.encode(before)), "a loss taken back changes nothing");
        bool done = abused(13, confirmer, abi.encodeCall(term.confirmLoss, ()), 0);
        assertTrue(done, "the next one may be reviewed");
    }

    // ── What the invariants look at ─────────────────────────────────────────────────────────────────────────────────

    function owned(uint256 id) private view returns (address holder) {
        (bool done, bytes memory answer) = address(term).staticcall(abi.encodeCall(term.ownerOf, (id)));
        if (done) holder = abi.decode(answer, (address));
    }

    function checkBooks() external {
        vm.warp(_clock);
        TermDeposit.Books memory b = books();
        assertEq(b.cash, own().came - own().went, "cash is what came less what went");
        assertEq(dollar.balanceOf(address(term)), b.cash + own().donated, "every unit is where it belongs");
        assertEq(keccak256(abi.encode(b)), keccak256(abi.encode(model.books())), "events rebuild the accounts");

        Sums memory sums;
        for (uint256 id = 1; id <= model.count(); ++id) {
            addUp(sums, id, b);
        }
        assertEq(b.liabilities, sums.liabilities, "liabilities are the payouts of live receipts");
        for (uint256 i = 0; i < ACTORS; ++i) {
            assertEq(term.balanceOf(actors[i]), sums.balances[i], "every live receipt has its owner");
        }
        assertEq(sums.balances[3], 0, "the stranger has nothing");
        for (uint256 i = 0; i < 4; ++i) {
            TermDeposit.Term memory t = term.termOf(i);
            if (b.claims == 0) assertEq(t.principal, sums.principals[i], "the principal of a term");
            assertEq(keccak256(abi.encode(t)), keccak256(abi.encode(model.termOf(i))), "events rebuild the terms");
        }
        if (b.claims == 0) {
            assertEq(b.reserved, sums.reserved, "the interest of live receipts is reserved");
            assertAtMost(b.reserved, b.cash, "in cash");
            assertAtMost(b.liabilities, b.cash + b.deployed, "solvent");
        } else {
            assertAtMost(sums.claimable, b.cash, "all that can be claimed can be paid");
        }
        checkLimits();
    }

    function addUp(Sums memory sums, uint256 id, TermDeposit.Books memory b) private view {
        TermDeposit.Deposit memory deposit = checkReceipt(id);
        if (deposit.status != Receipts.ACTIVE && deposit.status != Receipts.MATURED) return;
        uint256 due = dueOf(id);
        sums.liabilities += due - (b.claims > 0 ? own().paidOn[id] : 0);
        sums.reserved += due - deposit.principal;
        sums.claimable += term.claimable(id);
        sums.principals[deposit.termId] += deposit.principal;
        for (uint256 i = 0; i < ACTORS; ++i) {
            if (term.ownerOf(id) == actors[i]) sums.balances[i]++;
        }
        if (b.claims > 0) checkShare(id, due, b);
    }

    function checkLimits() private view {
        (uint256 cap, uint256 minDeposit, uint256 pausedUntil) = term.limits();
        assertTrue(
            cap == model.cap() && minDeposit == model.minDeposit() && pausedUntil == model.pausedUntil()
                && term.evidenceUntil() == model.evidenceUntil() && model.buffer() == term.buffer() && model.custodian() == term.custodian(),
            "events rebuild the limits"
        );
    }

    function checkReceipt(uint256 id) private view returns (TermDeposit.Deposit memory deposit) {
        uint256 drawn;
        (deposit, drawn) = term.receiptOf(id);
        TermModel.Receipt memory known = model.receiptOf(id, _clock);
        assertEq(owned(id), known.owner, "events rebuild the owner");
        assertTrue(
            deposit.principal == known.principal && deposit.openedAt == known.openedAt
                && deposit.maturity == known.maturity && deposit.termId == known.termId
                && deposit.status == known.status && deposit.roll == known.roll
                && deposit.rollTermId == known.rollTermId && drawn == known.paid,
            "events rebuild the receipt"
        );
        assertAtMost(own().paidOn[id] + own().paidForParts[id], known.due, "no receipt is paid more than was due");
        if (known.owner == address(0)) return deposit;
        assertEq(dueOf(id), known.principal + known.interest, "events tell the interest");
    }

    /// @dev In a winding down: the same fraction of principals, then of interest, for each, whoever has drawn what, and nothing
    /// before it is earned.
    function checkShare(uint256 id, uint256 due, TermDeposit.Books memory b) private view {
        uint256 received = b.cash + b.claims - b.liabilities;
        if (received > b.claims) received = b.claims;
        uint256 principal = receiptOf(id).principal;
        uint256 principals = b.claims - b.reserved;
        uint256 share = received < principals
            ? principal * received / principals
            : principal + (due - principal) * (received - principals) / b.reserved;
        uint256 drawn = own().paidOn[id] + term.claimable(id);
        if (receiptOf(id).status == Receipts.MATURED) assertEq(drawn, share, "the same fraction");
        else assertAtMost(drawn, share, "never more than the fraction");
    }

    /// @dev Every holder leaves in the end, exit-only, paused and closed or not. Run last: it changes the state.
    function checkEveryoneCanLeave() external {
        vm.warp(_clock);
        for (uint256 i = 0; i < 2; ++i) {
            use(i);
            _checkEveryoneCanLeave();
        }
    }

    function _checkEveryoneCanLeave() private {
        for (uint256 i = 0; i < 3; ++i) {
            IdentityRegistry.Status status = identities.statusOf(actors[i]);
            if (status == IdentityRegistry.Status.Frozen) freeze(actors[i], false);
            if (identities.statusOf(actors[i]) == IdentityRegistry.Status.Verified) revoke(actors[i]);
        }
        closeProduct(own().shortId);
        attempt(guardian, abi.encodeCall(term.pause, ()));
        if (books().deployed > 0) repayFunds(books().deployed);
        TermDeposit.Books memory b = books();
        if (b.claims > 0 && b.cash < b.liabilities) {
            everyoneClaims();
            // What was lost is found again: whoever has drawn or not is paid the rest.
            fundReserve(b.liabilities - b.cash);
        }
        skip(400 days);
        for (uint256 id = 1; id <= model.count(); ++id) {
            address holder = owned(id);
            if (holder == address(0)) continue;
            uint256 due = dueOf(id) - (b.claims > 0 ? own().paidOn[id] : 0);
            uint256 before = dollar.balanceOf(holder);
            vm.prank(holder);
            if (b.claims > 0) term.claim(id);
            else term.close(id);
            assertEq(dollar.balanceOf(holder) - before, due, "paid in full");
        }
        assertEq(books().liabilities, 0, "nothing is owed");
    }

    function everyoneClaims() private {
        for (uint256 id = 1; id <= model.count(); ++id) {
            uint256 amount = term.claimable(id);
            if (amount == 0) continue;
            vm.prank(term.ownerOf(id));
            term.claim(id);
            paid(id, amount);
        }
    }
}
