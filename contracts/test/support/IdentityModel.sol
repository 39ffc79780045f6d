// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but the identity registry's logs and rebuilds every wallet's state from them, in
/// its own words: separate switches where the registry has flags, one link a retirement where it follows chains.
contract IdentityModel {
    struct Wallet {
        uint128 subject;
        uint64 validUntil;
        bool revoked;
        bool frozen;
        address successor;
        address proposed;
        uint64 executableAt;
        uint64 expiresAt;
    }

    address private immutable _registry;
    mapping(address => Wallet) private _wallets;

    constructor(address registry) {
        _registry = registry;
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _registry) _apply(logs[i].topics, logs[i].data);
        }
    }

    function walletOf(address wallet) external view returns (Wallet memory) {
        return _wallets[wallet];
    }

    function statusOf(address wallet, uint256 time) public view returns (IdentityRegistry.Status) {
        Wallet storage w = _wallets[wallet];
        if (w.subject == 0) return IdentityRegistry.Status.None;
        if (w.successor != address(0)) return IdentityRegistry.Status.Retired;
        if (w.frozen) return IdentityRegistry.Status.Frozen;
        if (w.revoked || time > w.validUntil) return IdentityRegistry.Status.ExitOnly;
        return IdentityRegistry.Status.Verified;
    }

    function verified(address wallet, uint256 time) external view returns (bool) {
        return statusOf(wallet, time) == IdentityRegistry.Status.Verified;
    }

    function pending(address wallet, uint256 time) external view returns (bool) {
        Wallet storage w = _wallets[wallet];
        return w.proposed != address(0) && time <= w.expiresAt;
    }

    /// @dev Where `wallet`'s chain of successors ends; 0 when it is not retired.
    function lastSuccessorOf(address wallet) external view returns (address last) {
        for (address next = _wallets[wallet].successor; next != address(0); next = _wallets[next].successor) {
            last = next;
        }
    }

    function _apply(bytes32[] calldata topics, bytes calldata data) private {
        // Every event but that of the constructor names a wallet first.
        if (topics.length < 2) return;
        bytes32 kind = topics[0];
        Wallet storage w = _wallets[address(uint160(uint256(topics[1])))];
        if (kind == IdentityRegistry.Bound.selector) {
            w.subject = uint128(uint256(topics[2]));
            (w.validUntil,,) = abi.decode(data, (uint64, uint16, uint8));
            w.revoked = false;
        } else if (kind == IdentityRegistry.Renewed.selector) {
            w.validUntil = abi.decode(data, (uint64));
        } else if (kind == IdentityRegistry.Revoked.selector) {
            w.revoked = true;
        } else if (kind == IdentityRegistry.FrozenSet.selector) {
            w.frozen = abi.decode(data, (bool));
        } else if (kind == IdentityRegistry.RecoveryProposed.selector) {
            w.proposed = address(uint160(uint256(topics[2])));
            (w.executableAt, w.expiresAt) = abi.decode(data, (uint64, uint64));
        } else {
            w.proposed = address(0);
            if (kind == IdentityRegistry.Retired.selector) w.successor = address(uint160(uint256(topics[2])));
        }
    }
}
