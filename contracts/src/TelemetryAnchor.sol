// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

/// @title TelemetryAnchor: what devices measured, pinned down before anyone is paid for it
///
/// @notice Readings are collected in batches; the Merkle root of each batch is anchored here, batch after batch in one
/// stream of time. A stream has a running head hash that stands for everything anchored in it so far. The keys by which
/// devices sign their readings are kept here too, with the times in which they hold.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - anchorer: `anchor`.
/// - registrar: `registerP256Key`, `registerSecp256k1Key`, `revokeKey`.
/// - anyone: `keepHead`.
///
/// What is stored
/// - Of a stream only its head and how far it reaches: one more word a batch would cost 22 100 gas each time. A batch is
///   therefore proved by its own figures, which its event tells, and the digests of the batches after it; `keepHead`
///   writes the present head down for good, so that proofs stay short and do not grow stale as the stream goes on.
/// - Of a device every key it ever had, in order of time.
///
/// Assumptions
/// - The anchorer has checked the readings. What this contract checks is that nothing anchored is changed, reordered or
///   anchored twice for the same time, and that nothing is anchored for the future.
/// - Leaves are hashed twice, as OpenZeppelin's merkle-tree library does in its standard tree, so that no inner node
///   can pass for a leaf. Whoever asks `verify` computes the leaf from the reading itself.
///
/// Liveness
/// - Nothing here holds money or stops any; whoever is to be stopped loses its role.
contract TelemetryAnchor is AccessManaged {
    enum KeyKind {
        None,
        P256,
        Secp256k1
    }

    /// @dev One slot, and one for the head.
    struct Stream {
        uint64 to;
        uint64 batches;
        uint128 readings;
        bytes32 head;
    }

    /// @notice A batch as its event tells it, and what leads from it to a head this contract knows.
    /// @param number 1 for the first batch of the stream
    /// @param previousHead head of the stream before this batch, 0 before the first
    /// @param root root of the batch's Merkle tree
    /// @param from first second (Unix time, UTC) the batch answers for
    /// @param to last second it answers for
    /// @param count readings in the batch
    /// @param dataHash hash of the batch's data as published
    /// @param later digests (`batchDigest`) of the batches after it, up to the stream's head or a kept one
    struct Batch {
        uint64 number;
        bytes32 previousHead;
        bytes32 root;
        uint64 from;
        uint64 to;
        uint32 count;
        bytes32 dataHash;
        bytes32[] later;
    }

    /// @dev Holds from `validFrom` until the next one does. Of the kind None: from then on the device has no key.
    /// For secp256k1 `x` is the address of the key and `y` is 0.
    struct Key {
        uint64 validFrom;
        KeyKind kind;
        bytes32 x;
        bytes32 y;
    }

    /// @notice How far ahead (seconds) a key can be registered.
    uint64 public constant MAX_LEAD = 30 days;

    mapping(bytes32 stream => Stream) private _streams;
    mapping(bytes32 stream => mapping(uint256 batch => bytes32)) private _keptHeads;
    mapping(bytes32 device => Key[]) private _keys;
    mapping(bytes32 keyHash => bool) private _used;

    event Anchored(
        bytes32 indexed stream,
        uint64 indexed batch,
        bytes32 indexed root,
        uint64 from,
        uint64 to,
        uint32 count,
        bytes32 dataHash,
        bytes32 head
    );
    event HeadKept(bytes32 indexed stream, uint64 indexed batch, bytes32 head);
    /// @notice From `validFrom` on the device signs with this key.
    /// @param kind 1 P-256, with the coordinates of the public key; 2 secp256k1, with the key's address as `x` and 0 as `y`
    event KeyRegistered(bytes32 indexed device, uint8 kind, bytes32 x, bytes32 y, uint64 validFrom);
    /// @notice A key that was to hold from `validFrom` on never will: another, or a revocation, took its place.
    event KeyDropped(bytes32 indexed device, uint8 kind, bytes32 x, bytes32 y, uint64 validFrom);
    /// @notice From `validFrom` on the device has no key.
    event KeyRevoked(bytes32 indexed device, uint64 validFrom);

    /// @dev A root of 0 anchors nothing.
    error InvalidRoot();
    /// @dev A batch holds at least one reading.
    error InvalidCount();
    /// @dev `from` lies after `to`, or `to` in the future.
    error InvalidTime(uint64 from, uint64 to);
    /// @dev The batch begins before the last one of its stream has ended.
    error BatchOverlaps(uint64 from, uint64 lastTo);
    /// @dev Nothing was anchored in the stream.
    error EmptyStream(bytes32 stream);
    /// @dev The key is 0, or no point of its curve.
    error InvalidKey();
    /// @dev A key stands for one device, and once.
    error KeyAlreadyUsed(bytes32 x, bytes32 y);
    /// @dev A key holds from a moment to come, at most `MAX_LEAD` ahead, so that the past never changes.
    error InvalidKeyTime(uint64 validFrom);
    /// @dev The device has no key, nor will it have one.
    error NoKey(bytes32 device);

    constructor(address authority) AccessManaged(authority) {}

    // ── Batches ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Anchors the next batch of a stream. A stream begins with its first batch.
    /// @param root root of the batch's Merkle tree, not 0
    /// @param from first second (Unix time, UTC) the batch answers for; later than the last batch's `to`
    /// @param to last second it answers for; not in the future
    /// @param count readings in the batch, at least 1
    /// @param dataHash hash of the batch's data as published, 0 when it is not
    function anchor(bytes32 stream, bytes32 root, uint64 from, uint64 to, uint32 count, bytes32 dataHash)
        external
        restricted
    {
        if (root == 0) revert InvalidRoot();
        if (count == 0) revert InvalidCount();
        if (from > to || to > block.timestamp) revert InvalidTime(from, to);
        Stream storage s = _streams[stream];
        uint64 lastTo = s.to;
        if (from <= lastTo) revert BatchOverlaps(from, lastTo);
        uint64 batch = s.batches + 1;
        uint128 readings = s.readings + count;

        bytes32 digest = batchDigest(stream, batch, root, from, to, count, dataHash);
        bytes32 head = Hashes.efficientKeccak256(s.head, digest);
        s.to = to;
        s.batches = batch;
        s.readings = readings;
        s.head = head;
        emit Anchored(stream, batch, root, from, to, count, dataHash, head);
    }

    /// @notice Writes the stream's present head down for good. For anyone to call; kept already, nothing changes.
    /// @return batch number of the batch it is the head after
    function keepHead(bytes32 stream) external returns (uint64 batch) {
        Stream storage s = _streams[stream];
        batch = s.batches;
        if (batch == 0) revert EmptyStream(stream);
        if (_keptHeads[stream][batch] != 0) return batch;
        _keptHeads[stream][batch] = s.head;
        emit HeadKept(stream, batch, s.head);
    }

    /// @notice Whether `leaf` is in a batch that was anchored. Compatible with proofs of OpenZeppelin's merkle-tree
    /// library: sorted pairs, leaves hashed twice.
    /// @param batch what the batch's event tells, and what leads from it to the stream's head or a kept one
    /// @param leaf `keccak256(bytes.concat(keccak256(abi.encode(…))))` of the reading, computed by the caller
    function verify(bytes32 stream, Batch calldata batch, bytes32 leaf, bytes32[] calldata proof)
        external
        view
        returns (bool)
    {
        return isAnchored(stream, batch) && MerkleProof.verifyCalldata(proof, batch.root, leaf);
    }

    /// @notice Whether a batch was anchored in `stream` exactly as given.
    function isAnchored(bytes32 stream, Batch calldata batch) public view returns (bool) {
        bytes32 digest =
            batchDigest(stream, batch.number, batch.root, batch.from, batch.to, batch.count, batch.dataHash);
        bytes32 head = Hashes.efficientKeccak256(batch.previousHead, digest);
        for (uint256 i = 0; i < batch.later.length; ++i) {
            head = Hashes.efficientKeccak256(head, batch.later[i]);
        }
        return head == headAt(stream, uint256(batch.number) + batch.later.length);
    }

    /// @notice What a batch adds to the head: `head = keccak256(previous head ‖ digest)`, starting from 0.
    function batchDigest(
        bytes32 stream,
        uint64 batch,
        bytes32 root,
        uint64 from,
        uint64 to,
        uint32 count,
        bytes32 dataHash
    ) public pure returns (bytes32) {
        return keccak256(abi.encode(stream, batch, root, from, to, count, dataHash));
    }

    /// @notice The head of `stream` after its batch of that number, if it is the last one or its head was kept; else 0.
    function headAt(bytes32 stream, uint256 batch) public view returns (bytes32) {
        Stream storage s = _streams[stream];
        return batch == s.batches ? s.head : _keptHeads[stream][batch];
    }

    /// @notice How far a stream has come; all 0 when nothing was anchored in it.
    /// @return head running hash of all its batches
    /// @return batches how many there are
    /// @return to last second (Unix time, UTC) they answer for
    /// @return readings how many readings they hold together
    function streamOf(bytes32 stream)
        external
        view
        returns (bytes32 head, uint64 batches, uint64 to, uint128 readings)
    {
        Stream storage s = _streams[stream];
        return (s.head, s.batches, s.to, s.readings);
    }

    // ── Device keys ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Registers a device's P-256 key, its first or the one it changes to. Until `validFrom` the key it has now
    /// holds; one that was registered but has not begun yet is dropped.
    /// @param x first coordinate of the public key
    /// @param y second coordinate of the public key
    /// @param validFrom first second (Unix time, UTC) in which the key holds; to come, and at most `MAX_LEAD` ahead
    function registerP256Key(bytes32 device, bytes32 x, bytes32 y, uint64 validFrom) external restricted {
        if (!P256.isValidPublicKey(x, y)) revert InvalidKey();
        _register(device, Key(validFrom, KeyKind.P256, x, y));
    }

    /// @notice As `registerP256Key`, for a secp256k1 key, which is known by its address.
    function registerSecp256k1Key(bytes32 device, address signer, uint64 validFrom) external restricted {
        if (signer == address(0)) revert InvalidKey();
        _register(device, Key(validFrom, KeyKind.Secp256k1, bytes32(uint256(uint160(signer))), 0));
    }

    /// @notice Ends the key a device has from the next second on, and drops the one it was to have. What was signed before
    /// stays verifiable.
    function revokeKey(bytes32 device) external restricted {
        Key[] storage keys = _keys[device];
        if (keys.length == 0 || keys[keys.length - 1].kind == KeyKind.None) revert NoKey(device);
        uint64 validFrom = uint64(block.timestamp) + 1;
        _append(device, Key(validFrom, KeyKind.None, 0, 0));
        emit KeyRevoked(device, validFrom);
    }

    /// @notice The key a device signs with at `time` (Unix time, UTC). What it answers for a time not later than now
    /// never changes, but for `validUntil` once the key's end is known. `kind` is None when there is no key.
    /// @return kind None, P256 or Secp256k1
    /// @return x first coordinate of the public key, or the address of a secp256k1 key
    /// @return y second coordinate, 0 for secp256k1
    /// @return validFrom first second in which it holds
    /// @return validUntil last second in which it holds; the largest value when no end is known
    function keyAt(bytes32 device, uint64 time)
        public
        view
        returns (KeyKind kind, bytes32 x, bytes32 y, uint64 validFrom, uint64 validUntil)
    {
        Key[] storage keys = _keys[device];
        uint256 low = 0;
        uint256 high = keys.length;
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (keys[middle].validFrom <= time) low = middle + 1;
            else high = middle;
        }
        // `low` keys begin at or before `time`; the last of them holds.
        if (low == 0 || keys[low - 1].kind == KeyKind.None) return (KeyKind.None, 0, 0, 0, 0);
        Key storage key = keys[low - 1];
        validUntil = low < keys.length ? keys[low].validFrom - 1 : type(uint64).max;
        return (key.kind, key.x, key.y, key.validFrom, validUntil);
    }

    /// @notice Whether `signature` is, over `digest`, that of the key the device had at `time`. Never reverts.
    /// @param time when the reading was taken (Unix time, UTC)
    /// @param digest what was signed, already hashed, with whatever function the device uses
    /// @param signature P-256: r ‖ s, 64 bytes; secp256k1: r ‖ s ‖ v, 65 bytes; in both `s` in the lower half of its range
    function isSignedBy(bytes32 device, uint64 time, bytes32 digest, bytes calldata signature)
        external
        view
        returns (bool)
    {
        (KeyKind kind, bytes32 x, bytes32 y,,) = keyAt(device, time);
        if (kind == KeyKind.P256) {
            return signature.length == 64
                && P256.verify(digest, bytes32(signature[:32]), bytes32(signature[32:]), x, y);
        }
        // 0 for what is no signature, and no key's address is 0.
        (address signer,,) = ECDSA.tryRecoverCalldata(digest, signature);
        return kind == KeyKind.Secp256k1 && signer == address(uint160(uint256(x)));
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function _register(bytes32 device, Key memory key) private {
        if (key.validFrom <= block.timestamp || key.validFrom > block.timestamp + MAX_LEAD) {
            revert InvalidKeyTime(key.validFrom);
        }
        _append(device, key);
        bytes32 keyHash = Hashes.efficientKeccak256(key.x, key.y);
        if (_used[keyHash]) revert KeyAlreadyUsed(key.x, key.y);
        _used[keyHash] = true;
        emit KeyRegistered(device, uint8(key.kind), key.x, key.y, key.validFrom);
    }

    /// @dev Appends `key`, which begins in the future, in the place of the one key that may not have begun yet. A
    /// revocation is never taken back, not in its own second either: the key before it must not live on.
    function _append(bytes32 device, Key memory key) private {
        Key[] storage keys = _keys[device];
        if (keys.length > 0) {
            Key memory last = keys[keys.length - 1];
            if (last.validFrom > block.timestamp && last.kind != KeyKind.None) {
                keys.pop();
                _used[Hashes.efficientKeccak256(last.x, last.y)] = false;
                emit KeyDropped(device, uint8(last.kind), last.x, last.y, last.validFrom);
            }
        }
        keys.push(key);
    }
}
