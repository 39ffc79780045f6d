// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @dev The smallest wallet that is a contract: what its owner's key signs counts as signed by it (ERC-1271).
contract ContractWallet {
    address private immutable _owner;
    mapping(bytes32 => bool) private _approved;

    constructor(address owner) {
        _owner = owner;
    }

    /// @dev What is approved needs no signature, as with a Safe whose owners signed a message on chain.
    function approve(bytes32 hash) external {
        _approved[hash] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length == 0 && _approved[hash]) return this.isValidSignature.selector;
        require(signature.length == 65, "not a signature");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(hash, uint8(signature[64]), r, s) == _owner ? this.isValidSignature.selector : bytes4(0);
    }
}

/// @dev Creates such a wallet at an address that is known before (ERC-6492).
contract ContractWalletFactory {
    function create(address owner) external {
        new ContractWallet{salt: 0}(owner);
    }

    function addressOf(address owner) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(ContractWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", this, bytes32(0), code)))));
    }
}
