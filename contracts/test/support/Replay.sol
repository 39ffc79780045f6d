// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @dev Reads the calls that contracts/proofs/trace.ml ran through the proven model, and has a test repeat them: the stored
/// trace, or the traces that contracts/scripts/prove.mjs has just made, each from a new world.
abstract contract Replay {
    Vm private constant _vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Repeats one row; reverts with `where` when the contract answers anything else than the model.
    function repeat(uint256[] memory row, string memory where) internal virtual;

    function replayAll(string memory name) internal {
        string memory folder = _vm.envOr("AQUA_TRACES", "");
        if (bytes(folder).length == 0) return this.replay(string.concat("contracts/test/vectors/", name, ".csv"));
        uint256 count = _vm.parseUint(_vm.envOr("AQUA_TRACE_COUNT", ""));
        uint256 world = _vm.snapshotState();
        for (uint256 i = 0; i < count; ++i) {
            this.replay(string.concat(folder, "/", name, "-", _vm.toString(i), ".csv"));
            _vm.revertToState(world);
        }
    }

    /// @dev A call of its own, so that each trace has its memory to itself.
    function replay(string memory file) external {
        string[] memory rows = _vm.split(_vm.readFile(file), "\n");
        require(rows.length > 1000, string.concat(file, " has too few rows"));
        // The last line ends with a line break.
        for (uint256 i = 0; i + 1 < rows.length; ++i) {
            string[] memory cells = _vm.split(rows[i], ",");
            uint256[] memory row = new uint256[](cells.length);
            for (uint256 k = 0; k < cells.length; ++k) {
                row[k] = _vm.parseUint(cells[k]);
            }
            repeat(row, string.concat(file, " row ", _vm.toString(i + 1)));
        }
    }
}
