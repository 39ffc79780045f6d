// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Invariants} from "../support/Invariants.sol";
import {IdentityHandler} from "./IdentityHandler.sol";

/// @dev Long random runs of a crowd of wallets that are bound, frozen, switched and recovered.
contract IdentityInvariants is Invariants {
    IdentityHandler private handler;

    function setUp() public {
        handler = new IdentityHandler();
        bytes4[] memory actions = new bytes4[](11);
        actions[0] = IdentityHandler.bind.selector;
        actions[1] = IdentityHandler.renew.selector;
        actions[2] = IdentityHandler.revokeOne.selector;
        actions[3] = IdentityHandler.freezeOrLift.selector;
        actions[4] = IdentityHandler.switchOne.selector;
        actions[5] = IdentityHandler.proposeOne.selector;
        actions[6] = IdentityHandler.vetoOne.selector;
        actions[7] = IdentityHandler.cancelOne.selector;
        actions[8] = IdentityHandler.executeOne.selector;
        actions[9] = IdentityHandler.enter.selector;
        actions[10] = IdentityHandler.wait.selector;
        drive(address(handler), actions);
    }

    function invariant_subjects_stay_apart_the_retired_stay_retired_and_events_tell_all() public {
        handler.checkAll();
    }

    function afterInvariant() public {
        uint256[] memory hits = new uint256[](handler.ACTIONS());
        for (uint256 i = 0; i < hits.length; ++i) {
            hits[i] = handler.hits(i);
        }
        writeHits("IdentityRegistry", hits);
    }
}
