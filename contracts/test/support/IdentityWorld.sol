// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {World} from "./World.sol";

/// @dev A wallet that is a contract: accepts what its owner's key signed.
contract ContractWallet is IERC1271 {
    address private immutable _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        return ECDSA.recover(hash, signature) == _signer ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @dev What switches and recoveries are made of: a message in the form of EIP-4361 in the two parts the registry is
/// given, and the signatures over it.
abstract contract IdentityWorld is World {
    bytes internal constant BEFORE =
        "aqua.example wants you to sign in with your Ethereum account:\n0x0000000000000000000000000000000000000001\n";
    bytes internal constant AFTERWARDS = "\n\nURI: https://aqua.example\nVersion: 1\nChain ID: 31337\nNonce: 12345678";

    /// @dev alice's subject; her second wallet; one that has no record until a test binds it.
    uint128 internal constant ALICE = 0xa1;
    uint128 internal constant BOB = 0xb2;
    uint256 internal constant SPARE_KEY = 0x59A4E;
    uint256 internal constant FRESH_KEY = 0xF4E5;
    address internal immutable spare = vm.addr(SPARE_KEY);
    address internal immutable fresh = vm.addr(FRESH_KEY);

    function switchSignature(uint256 key, address wallet, uint128 subject) internal view returns (bytes memory) {
        bytes memory line = identities.switchLine(wallet);
        return personalSign(key, bytes.concat(BEFORE, line, AFTERWARDS, identities.requestLine(subject)));
    }

    function recoverySignature(uint256 key, address wallet, uint128 subject) internal view returns (bytes memory) {
        return recoverySignature(key, wallet, subject, AFTERWARDS);
    }

    function recoverySignature(uint256 key, address wallet, uint128 subject, bytes memory afterwards)
        internal
        view
        returns (bytes memory)
    {
        bytes memory line = identities.recoveryLine(wallet);
        return personalSign(key, bytes.concat(BEFORE, line, afterwards, identities.requestLine(subject)));
    }

    /// @dev Binds the new wallet first where it has no record.
    function switchTo(address wallet, uint256 newKey) internal {
        uint128 subject = identities.recordOf(wallet).subject;
        if (identities.statusOf(vm.addr(newKey)) == IdentityRegistry.Status.None) bindWallet(newKey, subject);
        bytes memory signed = switchSignature(newKey, wallet, subject);
        vm.prank(wallet);
        identities.switchWallet(vm.addr(newKey), BEFORE, AFTERWARDS, signed);
    }

    function propose(address wallet, uint256 newKey) internal {
        bytes memory afterwards = withNonce(AFTERWARDS);
        bytes memory signed = recoverySignature(newKey, wallet, identities.recordOf(wallet).subject, afterwards);
        vm.prank(attester);
        identities.proposeRecovery(wallet, vm.addr(newKey), BEFORE, afterwards, signed);
    }

    function proposeSigned(address wallet, address newWallet, bytes memory signed) internal {
        vm.prank(attester);
        identities.proposeRecovery(wallet, newWallet, BEFORE, AFTERWARDS, signed);
    }

    function cancel(address wallet) internal {
        vm.prank(attester);
        identities.cancelRecovery(wallet);
    }

    function veto(address wallet) internal {
        vm.prank(wallet);
        identities.vetoRecovery();
    }

    /// @dev Binds the second wallet, proposes it for `wallet` and lets the time to veto pass.
    function proposeAndWait(address wallet) internal {
        bindWallet(SPARE_KEY, identities.recordOf(wallet).subject);
        propose(wallet, SPARE_KEY);
        skip(identities.RECOVERY_DELAY());
    }

    function refuses(bytes4 reason, address wallet) internal {
        vm.expectRevert(abi.encodeWithSelector(reason, wallet));
    }

    function assertStatus(address wallet, IdentityRegistry.Status status, string memory what) internal view {
        assertEq(uint256(identities.statusOf(wallet)), uint256(status), what);
    }

    function assertRetired(address wallet, address successor) internal view {
        assertStatus(wallet, IdentityRegistry.Status.Retired, "retired");
        assertTrue(!identities.canSend(wallet), "a retired wallet does not send");
        assertTrue(!identities.canReceive(wallet), "a retired wallet does not receive");
        assertEq(identities.successorOf(wallet), successor, "successor");
    }
}
