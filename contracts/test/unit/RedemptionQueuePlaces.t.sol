// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {HookedAsset, SomethingAsset} from "../support/Assets.sol";
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

    function test_a_rest_of_a_single_share_stays_claimable() public {
        request(alice, 100e12);
        settle();
        request(alice, 7e12);
        assertEq(redeem(alice, 100e12 - 1), 100 * DOLLAR - 1, "all but one");
        assertEq(queue.claimableRedeemRequest(0, alice), 1, "a share");
        assertEq(queue.pendingRedeemRequest(0, alice), 7e12, "beside what is pending");
        assertEq(queue.maxWithdraw(alice), 1, "with the unit that rounding left");
        assertEq(claim(alice), 1, "paid");
        assertEq(vault.setAside(), 0, "to the unit");
    }

    /// @dev The only way to one share worth many units: all leave in the middle of a large stream.
    function test_a_part_of_a_claim_may_be_less_than_a_share() public {
        depositFor(alice, 1_000_000 * DOLLAR);
        skip(1 days);
        reportGain(vault.maxGain(time()));
        skip(1);
        for (uint256 i = 0; i < 2; ++i) {
            address who = i == 0 ? alice : bob;
            uint256 shares = vault.balanceOf(who);
            vm.prank(who);
            vault.redeem(shares, who, who);
        }
        vm.prank(owner);
        vault.setMinDeposit(0);
        skip(2 days);
        reportGain(0);
        fund(alice, 1_000 * DOLLAR);
        vm.prank(alice);
        vault.mint(3, alice);
        request(alice, 3);
        settle();
        uint256 whole = queue.maxWithdraw(alice);
        assertTrue(whole > 30, "a share is worth many units");
        vm.prank(alice);
        assertEq(queue.withdraw(1, alice, alice), 0, "a unit is no share");
        assertEq(queue.maxWithdraw(alice), whole - 1, "the rest");
        assertEq(claim(alice), whole - 1, "is paid");
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

    function test_of_a_claim_that_waits_nothing_is_payable_any_more() public {
        request(alice, 100e12);
        settle();
        assertEq(queue.payableFrom(alice), 0, "it is processed");
        assertEq(queue.claimableRedeemRequest(1, alice), 0, "there is no other request");
        redeem(alice, 1);
        request(bob, 5e12);
        skip(1 hours);
        reportGain(0);
        assertTrue(queue.payableFrom(bob) != 0, "bob's is payable");
        assertEq(queue.payableFrom(alice), 0, "a rest has no place in the line");
    }

    /// @dev Which is worth less than a unit, and is recorded all the same.
    function test_a_report_pays_a_single_share() public {
        request(alice, 1);
        skip(1 hours);
        reportGain(0);
        skip(1 hours);
        reportGain(0);
        (,, uint256 processed,) = queue.totals();
        assertEq(processed, 1, "processed");
        assertEq(queue.claimableRedeemRequest(0, alice), 1, "recorded");
    }

    function test_a_new_queue_says_whose_it_is() public {
        address expected = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.expectEmit(expected);
        emit RedemptionQueue.QueueCreated(address(vault), address(dollar));
        deploy("RedemptionQueue", abi.encode(vault));
    }

    /// @dev Recovery is behind the same lock as what moves money.
    function test_nobody_recovers_processes_or_claims_in_the_middle_of_a_claim() public {
        HookedAsset asset = new HookedAsset(6);
        vault = deployVault("hooked", IERC20(address(asset)), 0);
        queue = deployQueue(vault);
        asset.mint(alice, DOLLAR);
        vm.prank(alice);
        asset.approve(address(vault), DOLLAR);
        vm.prank(alice);
        vault.deposit(DOLLAR, alice);
        vm.prank(alice);
        queue.setOperator(address(asset), true);
        bytes[3] memory calls = [
            abi.encodeCall(queue.recover, (bob)),
            abi.encodeCall(queue.process, ()),
            abi.encodeCall(queue.claim, (alice, alice))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            request(alice, 1e11);
            skip(1 hours);
            reportGain(0);
            queue.process();
            asset.arm(address(queue), calls[i]);
            claim(alice);
            assertTrue(asset.reached() && !asset.succeeded(), "refused");
            bytes4 lock = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
            assertEq(keccak256(asset.answer()), keccak256(abi.encodeWithSelector(lock)), "by the lock");
        }
    }
}
