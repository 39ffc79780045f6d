// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {QueueModel} from "../support/QueueModel.sol";
import {World} from "../support/World.sol";

/// @dev A place remembers the number of batches before it modulo 255. Whatever number there are by now, it is paid by its
/// own, whose prices differ.
contract RedemptionQueueSearchTest is World {
    QueueModel private line;

    function setUp() public {
        deployWorld();
        line = new QueueModel(address(queue));
        vm.recordLogs();
        depositFor(alice, 1_000_000 * DOLLAR);
        depositFor(bob, 1_000_000 * DOLLAR);
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most);
    }

    function test_a_place_is_paid_by_its_batches_whatever_their_number() public {
        // A batch is about 1e12 shares, so alice's end with the 283rd and bob's begin there.
        request(bob, 3e12);
        request(alice, 280e12);
        request(bob, 200e12);
        for (uint256 i = 0; i < 600; ++i) {
            if (i % 100 == 7) request(alice, 100e12);
            skip(1 hours);
            reportLoss(10 * DOLLAR);
            repayMoney(DOLLAR);
            queue.process();
            line.feed(vm.getRecordedLogs());
            check(alice);
            check(bob);
        }
    }

    /// @dev 0 batches were before it when it was requested, which is 255 by what it remembers.
    function test_a_place_that_begins_inside_the_255th_batch_is_paid_from_there() public {
        request(bob, 254.5e12);
        request(alice, 10e12);
        skip(1 hours);
        reportGain(0);
        for (uint256 i = 0; i < 258; ++i) {
            repayMoney(DOLLAR);
            queue.process();
        }
        assertEq(queue.claimableRedeemRequest(0, alice), 3.5e12, "shares");
        assertEq(queue.maxWithdraw(alice), 3_500_000, "assets");
    }

    function check(address account) private view {
        (uint256 shares, uint256 assets) = line.claimableOf(account);
        assertEq(queue.claimableRedeemRequest(0, account), shares, "shares");
        assertEq(queue.maxWithdraw(account), assets, "assets");
    }
}
