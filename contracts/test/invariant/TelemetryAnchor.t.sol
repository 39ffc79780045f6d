// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Invariants} from "../support/Invariants.sol";
import {AnchorHandler} from "./AnchorHandler.sol";

/// @dev Long random runs of streams that are anchored and proved, and of devices whose keys come and go.
contract TelemetryAnchorInvariants is Invariants {
    AnchorHandler private handler;

    function setUp() public {
        handler = new AnchorHandler();
        bytes4[] memory actions = new bytes4[](7);
        actions[0] = AnchorHandler.anchorOne.selector;
        actions[1] = AnchorHandler.keep.selector;
        actions[2] = AnchorHandler.prove.selector;
        actions[3] = AnchorHandler.register.selector;
        actions[4] = AnchorHandler.revokeOne.selector;
        actions[5] = AnchorHandler.note.selector;
        actions[6] = AnchorHandler.wait.selector;
        drive(address(handler), actions);
    }

    function invariant_streams_are_ordered_the_past_stays_and_events_tell_all() public {
        handler.checkAll();
    }

    function afterInvariant() public {
        uint256[] memory hits = new uint256[](handler.ACTIONS());
        for (uint256 i = 0; i < hits.length; ++i) {
            hits[i] = handler.hits(i);
        }
        writeHits("TelemetryAnchor", hits);
    }
}
