// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title IdentityRegistry: which wallet stands for which verified account
///
/// @notice One record a wallet, in one storage slot; any number of wallets a subject. A record carries no personal data:
/// `subject` is a random 128-bit id of the account, never derived from an e-mail or a name.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - attester: `bind`, `renew`, `revoke`, `proposeRecovery`, `cancelRecovery`.
/// - guardian: `freeze`. It only tightens.
/// - owner: `unfreeze`.
/// - the old wallet itself: `switchWallet`, `vetoRecovery`. No role, pause or freeze takes the veto away.
/// - anyone: `executeRecovery`, once its 72 hours have passed.
///
/// States
/// - None: no record. May hold nothing.
/// - Verified: may deposit, receive, send and redeem.
/// - ExitOnly: the record ran out or was revoked. May redeem to itself, or switch to a verified wallet of its subject;
///   may neither receive nor deposit.
/// - Frozen: may do nothing until the freeze is lifted.
/// - Retired: another wallet of the same subject has taken its place. May do nothing ever again; whatever it holds is
///   pulled to `successorOf(wallet)` by anyone, product by product.
///
/// Assumptions
/// - The attester has checked the identity behind `subject` and the fields of the signed messages (domain, chain, nonce,
///   times). This contract checks the one thing only the chain can prove to everyone: that the wallet itself signed a
///   message that says what it is for and ends with the subject's id.
/// - A record is never erased and never changes its subject, and a retired wallet stays retired, so a wallet used once
///   can never stand for someone else.
/// - A product moves what a retired wallet holds to its successor whatever the state of the successor's record, so that
///   nothing is stuck: it stays with the same subject, and the successor's own state then says what may be done with it.
///
/// Liveness
/// - No call here can stop a wallet in ExitOnly from redeeming; only `freeze` can, and it is reversible.
/// - Switch, veto and the execution of a recovery need no role, so no closing of this contract in the AccessManager
///   stops them.
contract IdentityRegistry is AccessManaged {
    enum Status {
        None,
        Verified,
        ExitOnly,
        Frozen,
        Retired
    }

    /// @param subject random id of the account, never 0 in a live record
    /// @param validUntil last second (Unix time, UTC) in which the record counts as verified
    /// @param country ISO 3166-1 numeric code, 0 when unknown
    /// @param tier level of verification, meaning set by the operator
    /// @param flags bit 0 revoked, bit 1 frozen, bit 2 retired
    struct Record {
        uint128 subject;
        uint64 validUntil;
        uint16 country;
        uint8 tier;
        uint8 flags;
    }

    /// @dev One slot. `executableAt` is 0 when nothing was proposed.
    struct Recovery {
        address successor;
        uint64 executableAt;
    }

    /// @notice How long (seconds) the old wallet can veto a recovery before it can be executed.
    uint64 public constant RECOVERY_DELAY = 72 hours;
    /// @notice How long (seconds) a recovery can be executed once it can be; after that it has to be proposed anew.
    uint64 public constant RECOVERY_WINDOW = 14 days;

    uint8 private constant _REVOKED = 1;
    uint8 private constant _FROZEN = 2;
    uint8 private constant _RETIRED = 4;

    mapping(address wallet => Record) private _records;
    /// @dev The wallet that took the place of a retired one, itself perhaps retired later.
    mapping(address wallet => address) private _successors;
    mapping(address wallet => Recovery) private _recoveries;
    /// @dev The texts that a wallet signed and that took effect, by the digest it signed. The text alone is no key: two
    /// wallets may sign the same one.
    mapping(address wallet => mapping(bytes32 digest => bool)) private _used;

    event Bound(address indexed wallet, uint128 indexed subject, uint64 validUntil, uint16 country, uint8 tier);
    event Renewed(address indexed wallet, uint64 validUntil);
    event Revoked(address indexed wallet);
    event FrozenSet(address indexed wallet, bool frozen);
    /// @notice `wallet` is done with; `successor` of the same subject stands in its place. `FrozenSet` comes before it
    /// when the successor takes over a freeze.
    /// @param recovered false when the wallet itself switched, true when it was recovered without it
    event Retired(address indexed wallet, address indexed successor, uint128 indexed subject, bool recovered);
    event RecoveryProposed(address indexed wallet, address indexed successor, uint64 executableAt, uint64 expiresAt);
    /// @notice The wallet itself refused.
    event RecoveryVetoed(address indexed wallet, address indexed successor);
    /// @notice The attester took the proposal back, or the wallet switched before it came to anything.
    event RecoveryCancelled(address indexed wallet, address indexed successor);

    /// @dev The subject id 0 marks an empty record and cannot be bound.
    error InvalidSubject();
    /// @dev `validUntil` lies in the past.
    error InvalidValidity(uint64 validUntil);
    /// @dev The wallet belongs, or belonged, to another subject.
    error WalletBoundToAnotherSubject(address wallet);
    /// @dev The wallet did not sign the message with the lines that belong to it.
    error InvalidWalletSignature(address wallet);
    /// @dev What the wallet signed has taken effect before; it signs a new text.
    error SignatureUsed(address wallet);
    error UnknownWallet(address wallet);
    /// @dev A revoked record comes back only by `bind`, with a new signature of the wallet.
    error WalletRevoked(address wallet);
    error WalletFrozen(address wallet);
    /// @dev A retired wallet is never used again.
    error WalletRetired(address wallet);
    /// @dev Nothing is switched to a wallet that is not verified.
    error WalletNotVerified(address wallet);
    /// @dev A wallet cannot take its own place.
    error InvalidSuccessor(address wallet);
    /// @dev One proposal a wallet at a time; this one is open until `expiresAt`.
    error RecoveryPending(address wallet, uint64 expiresAt);
    /// @dev There is nothing proposed, or it was vetoed, cancelled, executed or has expired.
    error NoRecovery(address wallet);
    /// @dev The old wallet can still veto until `executableAt`.
    error RecoveryTooEarly(address wallet, uint64 executableAt);

    constructor(address authority) AccessManaged(authority) {}

    // ── Records ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Binds `wallet` to `subject`, or binds it anew after it was revoked. Frozen stays frozen. A text that took
    /// effect here before, in whatever call, binds no more.
    /// @param message what the wallet signed, up to but without the last line `\nRequest ID: <subject>`, which is
    /// appended here; the subject is written as `0x` and 32 lowercase hexadecimal digits
    /// @param signature the wallet's personal-sign (EIP-191) signature, of a key or of a contract (ERC-1271)
    function bind(
        address wallet,
        uint128 subject,
        uint64 validUntil,
        uint16 country,
        uint8 tier,
        bytes calldata message,
        bytes calldata signature
    ) external restricted {
        if (subject == 0) revert InvalidSubject();
        if (validUntil < block.timestamp) revert InvalidValidity(validUntil);
        Record storage record = _records[wallet];
        uint128 known = record.subject;
        uint8 flags = record.flags;
        if (known != 0 && known != subject) revert WalletBoundToAnotherSubject(wallet);
        if (flags & _RETIRED != 0) revert WalletRetired(wallet);
        _useSignedOnce(wallet, bytes.concat(message, requestLine(subject)), signature);

        _records[wallet] = Record(subject, validUntil, country, tier, flags & _FROZEN);
        emit Bound(wallet, subject, validUntil, country, tier);
    }

    /// @notice Sets how long a record counts as verified; may shorten it too, but not into the past.
    function renew(address wallet, uint64 validUntil) external restricted {
        Record storage record = _known(wallet);
        if (record.flags & _REVOKED != 0) revert WalletRevoked(wallet);
        if (validUntil < block.timestamp) revert InvalidValidity(validUntil);
        record.validUntil = validUntil;
        emit Renewed(wallet, validUntil);
    }

    /// @notice Makes a wallet exit-only at once.
    function revoke(address wallet) external restricted {
        Record storage record = _known(wallet);
        if (record.flags & _REVOKED != 0) revert WalletRevoked(wallet);
        record.flags |= _REVOKED;
        emit Revoked(wallet);
    }

    /// @notice Stops a wallet altogether, for example at word that its key was stolen. Frozen already, it stays so.
    function freeze(address wallet) external restricted {
        _setFrozen(wallet, _known(wallet), true);
    }

    /// @notice Lets a frozen wallet go on in the state its record gives.
    function unfreeze(address wallet) external restricted {
        _setFrozen(wallet, _known(wallet), false);
    }

    // ── One wallet in the place of another ──────────────────────────────────────────────────────────────────────────

    /// @notice Puts `newWallet` in the caller's place, at once and for ever. The attester has bound it to the same subject
    /// beforehand, so that a stolen key switches to no wallet of the thief's own. A frozen wallet does not switch. A
    /// proposed recovery of the caller is void with it.
    /// @dev The signed text is `before ‖ switchLine(caller) ‖ afterwards ‖ requestLine(subject)`: a message that links a
    /// wallet lacks the line in the middle, and one that recovers a wallet has another.
    /// @param newWallet another wallet of the same subject, verified
    /// @param before what the new wallet signed up to the line that names the caller, without the line break there
    /// @param afterwards what it signed between that line and the last one, beginning with a line break
    /// @param signature the new wallet's personal-sign (EIP-191) signature, of a key or of a contract (ERC-1271)
    function switchWallet(
        address newWallet,
        bytes calldata before,
        bytes calldata afterwards,
        bytes calldata signature
    ) external {
        address wallet = msg.sender;
        Record storage record = _known(wallet);
        if (record.flags & _FROZEN != 0) revert WalletFrozen(wallet);
        uint128 subject = record.subject;
        _checkSuccessor(wallet, newWallet, subject);
        if (!_verified(newWallet)) revert WalletNotVerified(newWallet);
        bytes memory text = bytes.concat(before, switchLine(wallet), afterwards, requestLine(subject));
        // The text that bound the new wallet may be this one. None switches twice, since the caller retires by it.
        _useSigned(newWallet, text, signature);

        address proposed = _recoveries[wallet].successor;
        if (proposed != address(0)) {
            delete _recoveries[wallet];
            emit RecoveryCancelled(wallet, proposed);
        }
        _retire(wallet, newWallet, subject, false);
    }

    /// @notice Proposes that `newWallet` take the place of a wallet whose key is lost or stolen. It can be executed
    /// after `RECOVERY_DELAY`, until which the old wallet can veto it whatever its state, frozen included. Each proposal
    /// needs a new text.
    /// @dev The signed text is `before ‖ recoveryLine(wallet) ‖ afterwards ‖ requestLine(subject)`.
    /// @param newWallet bound to the same subject beforehand; neither frozen, revoked nor retired, now and at execution
    /// @param before what the new wallet signed up to the line that names the old one, without the line break there
    /// @param afterwards what it signed between that line and the last one, beginning with a line break
    /// @param signature the new wallet's personal-sign (EIP-191) signature, of a key or of a contract (ERC-1271)
    function proposeRecovery(
        address wallet,
        address newWallet,
        bytes calldata before,
        bytes calldata afterwards,
        bytes calldata signature
    ) external restricted {
        uint128 subject = _known(wallet).subject;
        _checkRecoverySuccessor(wallet, newWallet, subject);
        (,, uint64 expiresAt) = recoveryOf(wallet);
        if (expiresAt != 0) revert RecoveryPending(wallet, expiresAt);
        bytes memory text = bytes.concat(before, recoveryLine(wallet), afterwards, requestLine(subject));
        _useSignedOnce(newWallet, text, signature);

        uint64 executableAt = uint64(block.timestamp) + RECOVERY_DELAY;
        _recoveries[wallet] = Recovery(newWallet, executableAt);
        emit RecoveryProposed(wallet, newWallet, executableAt, executableAt + RECOVERY_WINDOW);
    }

    /// @notice Takes a proposed recovery back.
    function cancelRecovery(address wallet) external restricted {
        emit RecoveryCancelled(wallet, _dropRecovery(wallet));
    }

    /// @notice Refuses the proposed recovery of the caller. Open to it in every state and at any time before execution.
    function vetoRecovery() external {
        emit RecoveryVetoed(msg.sender, _dropRecovery(msg.sender));
    }

    /// @notice Puts the proposed successor in the place of `wallet`. For anyone to call, from `executableAt` to
    /// `expiresAt` of the proposal. Neither record has to be live: recovery gives nobody a state, and a freeze of the old
    /// wallet goes over to the new one, so that it is not a way round it.
    function executeRecovery(address wallet) external {
        (address newWallet, uint64 executableAt,) = recoveryOf(wallet);
        if (newWallet == address(0)) revert NoRecovery(wallet);
        if (block.timestamp < executableAt) revert RecoveryTooEarly(wallet, executableAt);
        Record storage record = _known(wallet);
        uint128 subject = record.subject;
        _checkRecoverySuccessor(wallet, newWallet, subject);

        delete _recoveries[wallet];
        if (record.flags & _FROZEN != 0) _setFrozen(newWallet, _records[newWallet], true);
        _retire(wallet, newWallet, subject, true);
    }

    /// @notice The wallet that stands in the place of a retired one now: where the chain of successors ends. 0 when
    /// `wallet` is not retired. Never reverts; costs one storage read a link.
    /// @dev No chain is circular, since a successor is never retired when it becomes one. Each link costs its subject a
    /// transaction of its own, so a chain too long to follow harms nobody but who made it.
    function successorOf(address wallet) external view returns (address successor) {
        address next = _successors[wallet];
        while (next != address(0)) {
            successor = next;
            next = _successors[next];
        }
    }

    /// @notice The recovery proposed for `wallet` and not yet expired; all 0 when there is none.
    /// @return successor the wallet that is to take its place
    /// @return executableAt first second (Unix time, UTC) in which it can be executed
    /// @return expiresAt last second in which it can be executed
    function recoveryOf(address wallet)
        public
        view
        returns (address successor, uint64 executableAt, uint64 expiresAt)
    {
        Recovery storage recovery = _recoveries[wallet];
        executableAt = recovery.executableAt;
        if (executableAt == 0 || block.timestamp > executableAt + RECOVERY_WINDOW) return (address(0), 0, 0);
        return (recovery.successor, executableAt, executableAt + RECOVERY_WINDOW);
    }

    // ── What products ask ───────────────────────────────────────────────────────────────────────────────────────────

    /// @notice The state of a wallet at this moment. Never reverts.
    function statusOf(address wallet) external view returns (Status) {
        if (_verified(wallet)) return Status.Verified;
        Record storage record = _records[wallet];
        if (record.subject == 0) return Status.None;
        if (record.flags & _RETIRED != 0) return Status.Retired;
        return record.flags & _FROZEN != 0 ? Status.Frozen : Status.ExitOnly;
    }

    /// @notice The stored record; all zero for an unknown wallet.
    function recordOf(address wallet) external view returns (Record memory) {
        return _records[wallet];
    }

    /// @notice ERC-7943: whether `account` may give up shares, at least to redeem them to itself.
    function canSend(address account) external view returns (bool) {
        Record storage record = _records[account];
        return record.subject != 0 && record.flags & (_FROZEN | _RETIRED) == 0;
    }

    /// @notice ERC-7943: whether `account` may gain shares.
    function canReceive(address account) external view returns (bool) {
        return _verified(account);
    }

    /// @notice ERC-7943: whether shares may go from `from` to `to`. An exit-only wallet redeems, it does not transfer.
    function canTransfer(address from, address to) external view returns (bool) {
        return _verified(from) && _verified(to);
    }

    // ── Lines of the signed messages ────────────────────────────────────────────────────────────────────────────────

    /// @notice The line that ends every signed message of `subject`, with the line break before it.
    function requestLine(uint128 subject) public pure returns (bytes memory) {
        return bytes.concat("\nRequest ID: ", bytes(Strings.toHexString(subject, 16)));
    }

    /// @notice The line by which a wallet says that `wallet` itself hands everything over to it.
    function switchLine(address wallet) public pure returns (bytes memory) {
        return bytes.concat("\nSwitch to this wallet from ", bytes(Strings.toHexString(wallet)), ".");
    }

    /// @notice The line by which a wallet says that it is to take over from `wallet`, which is lost.
    function recoveryLine(address wallet) public pure returns (bytes memory) {
        return bytes.concat("\nRecover to this wallet from ", bytes(Strings.toHexString(wallet)), ".");
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev The gate of every deposit and transfer, so it reads as little as can decide: a wallet without a record has
    /// `validUntil` 0 and fails by it, and every flag there is takes something away.
    function _verified(address wallet) private view returns (bool) {
        Record storage record = _records[wallet];
        return block.timestamp <= record.validUntil && record.flags == 0;
    }

    /// @dev A record that can still change.
    function _known(address wallet) private view returns (Record storage record) {
        record = _records[wallet];
        if (record.subject == 0) revert UnknownWallet(wallet);
        if (record.flags & _RETIRED != 0) revert WalletRetired(wallet);
    }

    function _setFrozen(address wallet, Record storage record, bool frozen) private {
        record.flags = frozen ? record.flags | _FROZEN : record.flags & ~_FROZEN;
        emit FrozenSet(wallet, frozen);
    }

    function _retire(address wallet, address successor, uint128 subject, bool recovered) private {
        _records[wallet].flags |= _RETIRED;
        _successors[wallet] = successor;
        emit Retired(wallet, successor, subject, recovered);
    }

    /// @dev Forgets the recovery of `wallet` and returns who was to succeed.
    function _dropRecovery(address wallet) private returns (address successor) {
        (successor,,) = recoveryOf(wallet);
        if (successor == address(0)) revert NoRecovery(wallet);
        delete _recoveries[wallet];
    }

    /// @dev The successor is another wallet of the same subject, and not retired.
    function _checkSuccessor(address wallet, address successor, uint128 subject) private view {
        if (successor == wallet) revert InvalidSuccessor(successor);
        if (_known(successor).subject != subject) revert WalletBoundToAnotherSubject(successor);
    }

    /// @dev Frozen is refused so that the guardian can hold up a recovery it has doubts about by freezing who would gain.
    function _checkRecoverySuccessor(address wallet, address successor, uint128 subject) private view {
        _checkSuccessor(wallet, successor, subject);
        uint8 flags = _records[successor].flags;
        if (flags & _FROZEN != 0) revert WalletFrozen(successor);
        if (flags & _REVOKED != 0) revert WalletRevoked(successor);
    }

    /// @dev Checks that `wallet` signed `text`, and remembers it; `before` says whether it had taken effect already.
    function _useSigned(address wallet, bytes memory text, bytes calldata signature) private returns (bool before) {
        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(text);
        if (!SignatureChecker.isValidSignatureNowCalldata(wallet, digest, signature)) {
            revert InvalidWalletSignature(wallet);
        }
        before = _used[wallet][digest];
        _used[wallet][digest] = true;
    }

    function _useSignedOnce(address wallet, bytes memory text, bytes calldata signature) private {
        if (_useSigned(wallet, text, signature)) revert SignatureUsed(wallet);
    }
}
