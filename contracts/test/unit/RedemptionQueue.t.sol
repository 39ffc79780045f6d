// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {IERC7540Operator, IERC7540Redeem} from "../../src/interfaces/IERC7540Redeem.sol";
import {World} from "../support/World.sol";

/// @dev Requests, processing and claims: a case per path and per error.
contract RedemptionQueueTest is World {
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

    // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_request_hands_the_shares_over_and_says_so() public {
        vm.expectEmit(address(queue));
        emit IERC7540Redeem.RedeemRequest(alice, alice, 0, alice, 100e12);
        vm.prank(alice);
        assertEq(queue.requestRedeem(100e12, alice, alice), 0, "one account a wallet");
        assertEq(vault.balanceOf(alice), 900e12, "handed over");
        assertEq(vault.balanceOf(address(queue)), 100e12, "to the queue");
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12, "pending");
        assertEq(queue.pendingRedeemRequest(1, alice), 0, "there is no other request");
        assertEq(queue.claimableRedeemRequest(0, alice), 0, "not claimable");
        assertEq(queue.claimableRedeemRequest(1, alice), 0, "nor another");
        assertEq(queue.sharesAhead(alice), 0, "nobody before");
        request(bob, 5e12);
        assertEq(queue.sharesAhead(bob), 100e12, "alice before bob");
        assertEq(queue.sharesAhead(carol), 0, "no place");
    }

    function test_nothing_more_than_one_has_and_for_oneself_only() public {
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.requestRedeem(0, alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 1_000e12, 1_000e12 + 1)
        );
        vm.prank(alice);
        queue.requestRedeem(1_000e12 + 1, alice, alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.ControllerIsNotOwner.selector, bob, alice));
        vm.prank(alice);
        queue.requestRedeem(1, bob, alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, bob, 0, 1));
        vm.prank(bob);
        queue.requestRedeem(1, alice, alice);
    }

    function test_shares_sent_to_the_queue_by_hand_are_refused() public {
        vm.expectRevert(abi.encodeWithSelector(DemandVault.ERC7943CannotReceive.selector, address(queue)));
        vm.prank(alice);
        vault.transfer(address(queue), 1);
    }

    function test_an_operator_or_an_allowance_requests_for_the_owner() public {
        vm.expectEmit(address(queue));
        emit IERC7540Operator.OperatorSet(alice, bob, true);
        vm.prank(alice);
        assertTrue(queue.setOperator(bob, true), "set");
        assertTrue(queue.isOperator(alice, bob), "operator");
        vm.prank(bob);
        queue.requestRedeem(100e12, alice, alice);
        vm.prank(alice);
        queue.setOperator(bob, false);
        vm.prank(alice);
        vault.approve(bob, 50e12);
        vm.prank(bob);
        queue.requestRedeem(50e12, alice, alice);
        assertEq(vault.allowance(alice, bob), 0, "allowance used");
        assertEq(queue.pendingRedeemRequest(0, alice), 150e12, "both");
    }

    function test_an_exit_only_wallet_may_ask_and_a_frozen_one_may_not() public {
        revoke(alice);
        request(alice, 100e12);
        freeze(bob, true);
        vm.expectRevert(abi.encodeWithSelector(DemandVault.ERC7943CannotSend.selector, bob));
        vm.prank(bob);
        queue.requestRedeem(1, bob, bob);
    }

    function test_a_wallet_holds_at_most_sixteen_places() public {
        for (uint256 i = 0; i < 16; ++i) {
            request(alice, 1e12);
        }
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.TooManyPlaces.selector, 16));
        vm.prank(alice);
        queue.requestRedeem(1e12, alice, alice);
        settle();
        assertEq(claim(alice), 16 * DOLLAR, "all at once");
        request(alice, 1e12);
        assertEq(queue.pendingRedeemRequest(0, alice), 1e12, "room again");
    }

    // ── Processing ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev A share unit is worth less than an asset unit; above a price of one, the shares that a single idle unit buys,
    /// rounded down, are worth nothing.
    function test_a_processing_that_idle_money_ends_pays_all_of_it() public {
        skip(1 days);
        reportGain(DOLLAR);
        skip(1 days);
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        uint256 most = vault.maxDeploy();
        vm.prank(treasurer);
        vault.deploy(most - 1);
        request(alice, 100e12);
        reportGain(0);
        uint256 price = vault.convertToAssets(1e18);
        uint256 needed = vault.previewWithdraw(1);
        (uint256 shares, uint256 assets) = queue.process();
        assertEq(assets, 1, "all that is idle");
        assertEq(shares, needed, "for the fewest shares that are worth it");
        assertTrue(vault.convertToAssets(1e18) >= price, "and who stays loses nothing");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12 - shares, "the rest waits");
    }

    function test_a_request_waits_for_a_report_later_than_itself() public {
        skip(1);
        reportGain(0);
        request(alice, 100e12);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        skip(1);
        reportGain(0);
        vm.expectEmit(address(queue));
        emit RedemptionQueue.Processed(1, 100e12, 100 * DOLLAR);
        vm.prank(carol);
        (uint256 shares, uint256 assets) = queue.process();
        assertEq(shares, 100e12, "shares");
        assertEq(assets, 100 * DOLLAR, "assets");
        assertEq(vault.totalAssets(), 1_900 * DOLLAR, "set aside, out of the vault");
        assertEq(dollar.balanceOf(address(queue)), 100 * DOLLAR, "and here");
        assertEq(queue.claimableRedeemRequest(0, alice), 100e12, "claimable");
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
    }

    function test_a_loss_reported_after_the_request_is_borne_by_it() public {
        deployMoney(1_000 * DOLLAR);
        request(alice, 500e12);
        skip(1 hours);
        reportLoss(500 * DOLLAR);
        queue.process();
        uint256 paid = claim(alice);
        // A quarter of everything is lost.
        assertTrue(paid <= 375 * DOLLAR && paid >= 375 * DOLLAR - 1, "as everyone");
    }

    function test_queued_shares_keep_earning_until_they_are_processed() public {
        request(alice, 500e12);
        skip(1 days);
        reportGain(vault.maxGain(time()));
        uint256 atOnce = vault.previewRedeem(500e12);
        skip(VESTING / 2);
        uint256 later = vault.previewRedeem(500e12);
        assertTrue(later > atOnce, "half is streamed");
        queue.process();
        assertEq(claim(alice), later, "paid with it");
    }

    function test_when_money_lacks_the_head_is_paid_first_and_instant_exits_are_closed() public {
        deployMoney(1_500 * DOLLAR);
        request(alice, 600e12);
        request(bob, 300e12);
        assertEq(vault.instantLiquidity(), 0, "all that is here is spoken for");
        assertEq(vault.maxWithdraw(bob), 0, "nobody overtakes");
        assertEq(vault.maxRedeem(bob), 0, "in shares neither");
        settle();
        assertEq(queue.claimableRedeemRequest(0, alice), 500e12, "the head, as far as the money goes");
        assertEq(queue.pendingRedeemRequest(0, alice), 100e12, "the rest waits");
        assertEq(queue.claimableRedeemRequest(0, bob), 0, "bob is behind");
        assertEq(queue.sharesAhead(bob), 100e12, "by that much");
        assertEq(queue.sharesAhead(alice), 0, "alice is first");
        repayMoney(250 * DOLLAR);
        assertEq(vault.maxWithdraw(bob), 0, "the line comes first");
        queue.process();
        assertEq(queue.claimableRedeemRequest(0, alice), 600e12, "alice is done");
        assertEq(queue.claimableRedeemRequest(0, bob), 150e12, "bob has begun");
        assertEq(claim(alice), 600 * DOLLAR, "alice");
        assertEq(claim(bob), 150 * DOLLAR, "bob in part");
        assertEq(queue.pendingRedeemRequest(0, bob), 150e12, "bob keeps his place");
        repayMoney(1_000 * DOLLAR);
        assertEq(vault.instantLiquidity(), 850 * DOLLAR, "what bob does not wait for is free");
        queue.process();
        assertEq(claim(bob), 150 * DOLLAR, "bob is done");
        (uint256 requested, uint256 eligible, uint256 processed, uint256 paid) = queue.totals();
        assertEq(requested, 900e12, "requested");
        assertEq(eligible, 900e12, "eligible");
        assertEq(processed, 900e12, "processed");
        assertEq(paid, 900 * DOLLAR, "paid");
    }

    function test_without_any_idle_money_there_is_nothing_to_process() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0);
        vm.prank(treasurer);
        vault.deploy(2_000 * DOLLAR);
        request(alice, 1e12);
        skip(1);
        reportGain(0);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
    }

    function test_when_reports_stay_away_for_thirty_days_more_everyone_is_paid_without_one() public {
        request(alice, 100e12);
        uint64 edge = vault.lastReportAsOf() + REPORT_AGE + 30 days;
        vm.warp(edge);
        vm.expectRevert(RedemptionQueue.NothingToProcess.selector);
        queue.process();
        vm.warp(edge + 1);
        queue.process();
        request(bob, 50e12);
        queue.process();
        assertEq(claim(alice), 100 * DOLLAR, "alice");
        assertEq(claim(bob), 50 * DOLLAR, "bob");
    }

    function test_only_the_vault_tells_of_reports() public {
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NotTheVault.selector, alice));
        vm.prank(alice);
        queue.reported();
    }

    // ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_claims_in_parts_add_up_to_the_whole() public {
        request(alice, 100e12);
        settle();
        assertEq(queue.maxRedeem(alice), 100e12, "maxRedeem");
        assertEq(queue.maxWithdraw(alice), 100 * DOLLAR, "maxWithdraw");
        vm.expectRevert(
            abi.encodeWithSelector(RedemptionQueue.ExceedsClaimable.selector, alice, 100e12 + 1, 100e12)
        );
        vm.prank(alice);
        queue.redeem(100e12 + 1, alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(RedemptionQueue.ExceedsClaimable.selector, alice, 100 * DOLLAR + 1, 100 * DOLLAR)
        );
        vm.prank(alice);
        queue.withdraw(100 * DOLLAR + 1, alice, alice);
        vm.expectEmit(address(queue));
        emit RedemptionQueue.Withdraw(alice, bob, alice, 33 * DOLLAR, 33e12);
        vm.prank(alice);
        assertEq(queue.redeem(33e12, bob, alice), 33 * DOLLAR, "a part in shares");
        vm.prank(alice);
        assertEq(queue.withdraw(50 * DOLLAR, alice, alice), 50e12, "a part in assets");
        assertEq(queue.claimableRedeemRequest(0, alice), 17e12, "the rest");
        request(alice, 10e12);
        vm.prank(alice);
        assertEq(queue.redeem(17e12, alice, alice), 17 * DOLLAR, "drained");
        assertEq(queue.pendingRedeemRequest(0, alice), 10e12, "the new request stands");
        assertEq(dollar.balanceOf(address(queue)), 0, "to the unit");
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.claim(alice, alice);
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        vm.prank(alice);
        queue.withdraw(0, alice, alice);
    }

    function test_only_the_wallet_or_its_operator_claims() public {
        request(alice, 100e12);
        settle();
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NotOperator.selector, alice, bob));
        vm.prank(bob);
        queue.claim(bob, alice);
        vm.prank(alice);
        queue.setOperator(bob, true);
        vm.prank(bob);
        assertEq(queue.claim(alice, alice), 100 * DOLLAR, "by the operator");
    }

    function test_a_frozen_wallet_holds_nobody_up_and_finds_its_money_set_aside() public {
        request(alice, 100e12);
        request(bob, 100e12);
        freeze(alice, true);
        settle();
        assertEq(claim(bob), 100 * DOLLAR, "bob is paid");
        assertEq(queue.maxRedeem(alice), 0, "maxRedeem");
        assertEq(queue.maxWithdraw(alice), 0, "maxWithdraw");
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.CannotAct.selector, alice));
        vm.prank(alice);
        queue.claim(alice, alice);
        freeze(alice, false);
        assertEq(claim(alice), 100 * DOLLAR, "alice too, later");
    }

    function test_an_exit_only_wallet_claims_to_itself_and_nowhere_else() public {
        request(alice, 100e12);
        settle();
        revoke(alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.ExitOnlyToSelf.selector, alice, bob));
        vm.prank(alice);
        queue.claim(bob, alice);
        assertEq(claim(alice), 100 * DOLLAR, "to itself");
    }

    function test_claims_are_open_under_pause_closing_staleness_and_a_full_cap() public {
        request(alice, 100e12);
        settle();
        vm.prank(guardian);
        vault.pause();
        closeProduct("solar-irrigation");
        vm.prank(owner);
        vault.setCap(0);
        skip(REPORT_AGE + 1);
        assertEq(vault.maxWithdraw(alice), 0, "no instant exit");
        assertEq(claim(alice), 100 * DOLLAR, "but the claim");
    }

    /// @dev The only way to one share worth several units: all leave in the middle of a stream.
    function test_a_part_of_a_claim_leaves_a_share_that_holds_the_rest() public {
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
        skip(VESTING);
        reportGain(0);
        fund(alice, 1_000 * DOLLAR);
        vm.prank(alice);
        vault.mint(3, alice);
        request(alice, 3);
        settle();
        uint256 whole = queue.maxWithdraw(alice);
        assertTrue(whole > 1, "three shares worth more than a unit");
        vm.prank(alice);
        queue.withdraw(1, alice, alice);
        vm.prank(alice);
        queue.claim(alice, alice);
        assertEq(dollar.balanceOf(address(queue)), 0, "nothing is left behind");
    }

    // ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_places_and_claims_of_a_retired_wallet_go_to_its_successor_in_their_order() public {
        request(alice, 100e12);
        settle();
        request(alice, 30e12);
        request(bob, 10e12);
        address successor = succeed(alice, 0xA11CE2);
        assertEq(queue.maxRedeem(alice), 0, "a retired wallet claims nothing");
        vault.recover(alice);
        vm.prank(successor);
        queue.requestRedeem(5e12, successor, successor);
        vm.expectEmit(address(queue));
        emit RedemptionQueue.PlacesRecovered(alice, successor, 2);
        vm.prank(carol);
        assertEq(queue.recover(alice), 2, "both places");
        assertEq(queue.claimableRedeemRequest(0, successor), 100e12, "the claim");
        assertEq(queue.pendingRedeemRequest(0, successor), 35e12, "and what is pending");
        assertEq(queue.sharesAhead(successor), 0, "in its old place");
        assertEq(queue.pendingRedeemRequest(0, alice), 0, "nothing is left");
        settle();
        vm.prank(successor);
        assertEq(queue.claim(successor, successor), 135 * DOLLAR, "all is paid");
        vm.expectRevert(RedemptionQueue.ZeroAmount.selector);
        queue.recover(alice);
        vm.expectRevert(abi.encodeWithSelector(RedemptionQueue.NoSuccessor.selector, bob));
        queue.recover(bob);
    }

    // ── ERC-7575 and ERC-165 ────────────────────────────────────────────────────────────────────────────────────────

    function test_it_is_an_entry_of_its_own_that_takes_no_deposits() public {
        assertEq(queue.share(), address(vault), "share");
        assertEq(queue.asset(), address(dollar), "asset");
        assertEq(queue.totalAssets(), vault.totalAssets(), "totalAssets");
        assertEq(queue.convertToShares(7), vault.convertToShares(7), "convertToShares");
        assertEq(queue.convertToAssets(7e12), vault.convertToAssets(7e12), "convertToAssets");
        assertEq(queue.previewDeposit(7), vault.previewDeposit(7), "previewDeposit");
        assertEq(queue.previewMint(7e12), vault.previewMint(7e12), "previewMint");
        assertEq(queue.maxDeposit(alice), 0, "maxDeposit");
        assertEq(queue.maxMint(alice), 0, "maxMint");
        bytes memory elsewhere = abi.encodeWithSelector(RedemptionQueue.DepositToTheVault.selector, vault);
        vm.expectRevert(elsewhere);
        queue.deposit(1, alice);
        vm.expectRevert(elsewhere);
        queue.mint(1, alice);
        vm.expectRevert(RedemptionQueue.PriceUnknown.selector);
        queue.previewRedeem(1);
        vm.expectRevert(RedemptionQueue.PriceUnknown.selector);
        queue.previewWithdraw(1);
    }

    function test_it_names_the_interfaces_of_the_standards() public view {
        bytes4[4] memory ids = [bytes4(0x01ffc9a7), bytes4(0xe3bc4e65), bytes4(0x620ee8e4), bytes4(0x2f0a18c5)];
        for (uint256 i = 0; i < ids.length; ++i) {
            assertTrue(queue.supportsInterface(ids[i]), "supported");
        }
        assertTrue(!queue.supportsInterface(0xffffffff), "not everything");
        assertTrue(type(IERC165).interfaceId == ids[0], "ERC-165");
    }
}
