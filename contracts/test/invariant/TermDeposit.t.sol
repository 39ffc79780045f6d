// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Invariants} from "../support/Invariants.sol";
import {TermHandler} from "./TermHandler.sol";

/// @dev Long random runs of a time-deposit product, from its first deposit to a winding down.
contract TermDepositInvariants is Invariants {
    TermHandler private handler;

    function setUp() public {
        handler = new TermHandler();
        bytes4[21] memory known = [
            TermHandler.open.selector,
            TermHandler.close.selector,
            TermHandler.exitEarly.selector,
            TermHandler.rollover.selector,
            TermHandler.setAutoRoll.selector,
            TermHandler.autoRoll.selector,
            TermHandler.transfer.selector,
            TermHandler.steal.selector,
            TermHandler.fund.selector,
            TermHandler.withdrawInterest.selector,
            TermHandler.deploy.selector,
            TermHandler.repay.selector,
            TermHandler.lose.selector,
            TermHandler.demand.selector,
            TermHandler.claim.selector,
            TermHandler.wait.selector,
            TermHandler.donate.selector,
            TermHandler.loseRecord.selector,
            TermHandler.replaceWallet.selector,
            TermHandler.pauseOrClose.selector,
            TermHandler.renewEvidence.selector
        ];
        // Some more than once: the way in, time, the way back to a record, and what only counts once it is too late.
        bytes4[] memory actions = new bytes4[](known.length + 9);
        for (uint256 i = 0; i < known.length; ++i) {
            actions[i] = known[i];
        }
        actions[21] = TermHandler.regainRecord.selector;
        actions[22] = TermHandler.open.selector;
        actions[23] = TermHandler.open.selector;
        actions[24] = TermHandler.wait.selector;
        actions[25] = TermHandler.claim.selector;
        actions[26] = TermHandler.claim.selector;
        actions[27] = TermHandler.demand.selector;
        actions[28] = TermHandler.abuse.selector;
        actions[29] = TermHandler.abuse.selector;
        drive(address(handler), actions);
    }

    function invariant_every_unit_is_owed_to_someone_and_the_events_tell_it() public {
        handler.checkBooks();
    }

    function afterInvariant() public {
        handler.checkBooks();
        uint256[] memory hits = new uint256[](handler.ACTIONS());
        for (uint256 i = 0; i < hits.length; ++i) {
            hits[i] = handler.hits(i);
        }
        writeHits("TermDeposit", hits);
        handler.checkEveryoneCanLeave();
    }
}
