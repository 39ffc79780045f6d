// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Invariants} from "../support/Invariants.sol";
import {Handler} from "./Handler.sol";

/// @dev Long random runs of a vault with its depositors, operators and enemies.
contract DemandVaultInvariants is Invariants {
    Handler private handler;

    function setUp() public {
        handler = new Handler();
        bytes4[] memory actions = new bytes4[](40);
        actions[0] = Handler.deposit.selector;
        actions[1] = Handler.mint.selector;
        actions[2] = Handler.withdraw.selector;
        actions[3] = Handler.redeem.selector;
        actions[4] = Handler.transfer.selector;
        actions[5] = Handler.intrude.selector;
        actions[6] = Handler.report.selector;
        actions[7] = Handler.wait.selector;
        actions[8] = Handler.donate.selector;
        actions[9] = Handler.loseRecord.selector;
        actions[10] = Handler.regainRecord.selector;
        actions[11] = Handler.pauseOrGoOn.selector;
        actions[12] = Handler.closeOrOpen.selector;
        actions[13] = Handler.lose.selector;
        actions[14] = Handler.putToWork.selector;
        actions[15] = Handler.repay.selector;
        actions[16] = Handler.skim.selector;
        actions[17] = Handler.requestRedeem.selector;
        actions[18] = Handler.process.selector;
        actions[19] = Handler.claimSome.selector;
        actions[20] = Handler.replaceWallet.selector;
        actions[21] = Handler.recover.selector;
        // Some more often than others: the ways through the queue are the longest.
        actions[22] = Handler.report.selector;
        actions[23] = Handler.deposit.selector;
        actions[24] = Handler.requestRedeem.selector;
        actions[25] = Handler.process.selector;
        actions[26] = Handler.process.selector;
        actions[27] = Handler.claimSome.selector;
        actions[28] = Handler.reviewLoss.selector;
        actions[29] = Handler.processInAnotherOrder.selector;
        actions[30] = Handler.processInAnotherOrder.selector;
        actions[31] = Handler.blockQueue.selector;
        // A large loss is rare, and its review is over after a day.
        actions[32] = Handler.lose.selector;
        actions[33] = Handler.reviewLoss.selector;
        actions[34] = Handler.reviewLoss.selector;
        actions[35] = Handler.reviewLoss.selector;
        for (uint256 i = 36; i < 39; ++i) {
            actions[i] = Handler.abuse.selector;
        }
        actions[39] = Handler.restoreLoss.selector;
        drive(address(handler), actions);
    }

    function invariant_the_books_balance_and_the_events_tell_them() public {
        handler.checkBooks();
    }

    function afterInvariant() public {
        handler.checkBooks();
        uint256[] memory hits = new uint256[](handler.ACTIONS());
        for (uint256 i = 0; i < hits.length; ++i) {
            hits[i] = handler.hits(i);
        }
        writeHits("DemandVault", hits);
        handler.checkEveryoneCanLeave();
    }
}
