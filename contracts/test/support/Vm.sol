// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The part of forge's cheatcodes that our tests use, written out here because npm's forge-std is years old.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function addr(uint256 key) external pure returns (address);
    function chainId(uint256 id) external;
    function cool(address target) external;
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function envOr(string calldata name, string calldata fallback_) external view returns (string memory);
    function expectEmit(address emitter) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function expectRevert(bytes4 selector) external;
    function getBlockTimestamp() external view returns (uint256);
    function getCode(string calldata artefact) external view returns (bytes memory);
    function getNonce(address account) external view returns (uint64);
    function getRecordedLogs() external returns (Log[] memory);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseUint(string calldata text) external pure returns (uint256);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function publicKeyP256(uint256 key) external pure returns (uint256 x, uint256 y);
    function record() external;
    function recordLogs() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function signP256(uint256 key, bytes32 digest) external pure returns (bytes32 r, bytes32 s);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function snapshotState() external returns (uint256 snapshot);
    function split(string calldata text, string calldata delimiter) external pure returns (string[] memory);
    function toString(bytes32 value) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function warp(uint256 time) external;
    function writeLine(string calldata path, string calldata line) external;
}
