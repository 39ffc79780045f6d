// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {SomethingAsset} from "../support/Assets.sol";
import {World} from "../support/World.sol";

/// @dev What a wallet's places add up to: rests of claims, processed and pending places, side by side.
contract RedemptionQueuePlacesTest is World {
    function setUp() public {
        deployWorld();
        depositFor(alice, 1_000 * DOLLAR);
        depositFor(bob, 1_000 * DOLLAR);
        skip(1 hours);
    }

    /// @dev The next report, which brings nothing, and one processing.
    function settle() private {
        skip(1 hours);
        reportGain(0);
        queue.process();
    }

    function redeem(address account, uint256 shares) private returns (uint256) {
        vm.prank(account);
        return queue.redeem(shares, account, account);
    }

    function test_a_recovered_rest_is_added_to_a_place_that_is_processed() public {
        request(alice, 100e12);
        settle();
        redeem(alice, 40e12);
        address successor = succeed(alice, 0xA11CE2);
        vault.recover(alice);
        request(successor, 7e12);
        settle();
        queue.recover(alice);
        assertEq(queue.claimableRedeemRequest(0, successor), 67e12, "in shares");
        assertEq(queue.maxWithdraw(successor), 67 * DOLLAR, "in money");
        assertEq(claim(successor), 67 * DOLLAR, "paid");
    }

    function test_after_a_recovery_one_more_place_fits_and_no_other() public {
        for (uint256 i = 0; i < 10; ++i) {
            request(alice, 1e12);
        }
        address successor = succeed(alice, 0xA11CE2);
        vault.recover(alice);
        for (uint256 i = 0; i < 5; ++i) {
            request(successor, 1e12);
        }
        assertEq(queue.recover(alice), 10, "ten");
        request(successor, 1e12);
        assertEq(queue.pendingRedeemRequest(0, successor), 16e12, "sixteen");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(successor);
        queue.requestRedeem(1e12, successor, successor);
    }

    /// @dev A rest has no place in the line, however many shares it is.
    function test_a_rest_stands_before_nobody_and_behind_nobody() public {
        request(alice, 100e12);
        settle();
        redeem(alice, 1);
        request(bob, 5e12);
        request(alice, 20e12);
        assertEq(queue.claimableRedeemRequest(0, alice), 100e12 - 1, "nearly all of it");
        assertEq(queue.sharesAhead(alice), 5e12, "bob's");
    }

    /// @dev Dust may be worth nothing.
    function test_a_claim_of_nothing_moves_nothing_and_works_with_an_asset_that_refuses_that() public {
        SomethingAsset asset = new SomethingAsset();
        vault = deployVault("something", IERC20(address(asset)), 0);
        queue = deployQueue(vault);
        asset.mint(alice, DOLLAR);
        vm.prank(alice);
        asset.approve(address(vault), DOLLAR);
        vm.prank(alice);
        vault.deposit(DOLLAR, alice);
        request(alice, 1);
        settle();
        assertEq(queue.claimableRedeemRequest(0, alice), 1, "a share");
        assertEq(claim(alice), 0, "worth nothing");
        assertEq(queue.claimableRedeemRequest(0, alice), 0, "claimed");
    }
}
