// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title IdentityRegistry: which wallet stands for which verified account
///
/// @notice One record a wallet, in one storage slot. A record carries no personal data: `subject` is a random
/// 128-bit id of the account, never derived from an e-mail or a name.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - attester: `bind`, `renew`, `revoke`, `setFrozen`.
///
/// States
/// - None: no record. May hold nothing.
/// - Verified: may deposit, receive, send and redeem.
/// - ExitOnly: the record ran out or was revoked. May redeem to itself, may neither receive nor deposit.
/// - Frozen: may do nothing until the attester lifts it.
///
/// Assumptions
/// - The attester has checked the identity behind `subject` and the fields of the sign-in message (domain, chain, nonce,
///   times). This contract checks the one thing only the chain can prove to everyone: that the wallet itself signed a
///   message that ends with the subject's id.
/// - A record is never erased and never changes its subject, so a wallet used once can never stand for someone else.
///
/// Liveness
/// - No call here can stop a wallet in ExitOnly from redeeming; only `setFrozen` can, and it is reversible.
contract IdentityRegistry is AccessManaged {
    enum Status {
        None,
        Verified,
        ExitOnly,
        Frozen
    }

    /// @param subject random id of the account, never 0 in a live record
    /// @param validUntil last second (Unix time, UTC) in which the record counts as verified
    /// @param country ISO 3166-1 numeric code, 0 when unknown
    /// @param tier level of verification, meaning set by the operator
    /// @param flags bit 0 revoked, bit 1 frozen
    struct Record {
        uint128 subject;
        uint64 validUntil;
        uint16 country;
        uint8 tier;
        uint8 flags;
    }

    uint8 private constant _REVOKED = 1;
    uint8 private constant _FROZEN = 2;

    mapping(address wallet => Record) private _records;

    event Bound(address indexed wallet, uint128 indexed subject, uint64 validUntil, uint16 country, uint8 tier);
    event Renewed(address indexed wallet, uint64 validUntil);
    event Revoked(address indexed wallet);
    event FrozenSet(address indexed wallet, bool frozen);

    /// @dev The subject id 0 marks an empty record and cannot be bound.
    error InvalidSubject();
    /// @dev `validUntil` lies in the past.
    error InvalidValidity(uint64 validUntil);
    /// @dev The wallet belongs, or belonged, to another subject.
    error WalletBoundToAnotherSubject(address wallet);
    /// @dev The wallet did not sign the message with the subject's line at its end.
    error InvalidWalletSignature(address wallet);
    error UnknownWallet(address wallet);
    /// @dev A revoked record comes back only by `bind`, with a new signature of the wallet.
    error WalletRevoked(address wallet);

    constructor(address authority) AccessManaged(authority) {}

    /// @notice Binds `wallet` to `subject`, or binds it anew after it was revoked. Frozen stays frozen.
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
        if (known != 0 && known != subject) revert WalletBoundToAnotherSubject(wallet);

        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(bytes.concat(message, requestLine(subject)));
        if (!SignatureChecker.isValidSignatureNowCalldata(wallet, digest, signature)) {
            revert InvalidWalletSignature(wallet);
        }

        _records[wallet] = Record(subject, validUntil, country, tier, record.flags & _FROZEN);
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

    /// @notice Stops a wallet altogether, or lets it go on in the state its record gives.
    function setFrozen(address wallet, bool frozen) external restricted {
        Record storage record = _known(wallet);
        record.flags = frozen ? record.flags | _FROZEN : record.flags & ~_FROZEN;
        emit FrozenSet(wallet, frozen);
    }

    /// @notice The state of a wallet at this moment. Never reverts.
    function statusOf(address wallet) external view returns (Status) {
        if (_verified(wallet)) return Status.Verified;
        Record storage record = _records[wallet];
        if (record.subject == 0) return Status.None;
        return record.flags & _FROZEN != 0 ? Status.Frozen : Status.ExitOnly;
    }

    /// @notice The stored record; all zero for an unknown wallet.
    function recordOf(address wallet) external view returns (Record memory) {
        return _records[wallet];
    }

    /// @notice ERC-7943: whether `account` may give up shares, at least to redeem them to itself.
    function canSend(address account) external view returns (bool) {
        Record storage record = _records[account];
        return record.subject != 0 && record.flags & _FROZEN == 0;
    }

    /// @notice ERC-7943: whether `account` may gain shares.
    function canReceive(address account) external view returns (bool) {
        return _verified(account);
    }

    /// @notice ERC-7943: whether shares may go from `from` to `to`. An exit-only wallet redeems, it does not transfer.
    function canTransfer(address from, address to) external view returns (bool) {
        return _verified(from) && _verified(to);
    }

    /// @notice The line that ends the signed message of `subject`.
    function requestLine(uint128 subject) public pure returns (bytes memory) {
        return bytes.concat("\nRequest ID: ", bytes(Strings.toHexString(subject, 16)));
    }

    /// @dev The gate of every deposit and transfer, so it reads as little as can decide: a wallet without a record has
    /// `validUntil` 0 and fails by it, and every flag there is takes something away.
    function _verified(address wallet) private view returns (bool) {
        Record storage record = _records[wallet];
        return block.timestamp <= record.validUntil && record.flags == 0;
    }

    function _known(address wallet) private view returns (Record storage record) {
        record = _records[wallet];
        if (record.subject == 0) revert UnknownWallet(wallet);
    }
}
