// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {RefusingAsset} from "../support/Assets.sol";
import {World} from "../support/World.sol";

/// @dev An issuer that blocks the queue's address neither stops the queue nor keeps what is set aside afterwards.
contract BlockedQueueTest is World {
    RefusingAsset private asset;
    DemandVault private made;
    RedemptionQueue private line;

    function setUp() public {
        deployWorld();
        asset = new RefusingAsset();
        made = deployVault("blocked", IERC20(address(asset)), 0);
        line = deployQueue(made);
        vm.prank(owner);
        made.setCustodian(custodian, 0);
        vm.prank(owner);
        made.setTreasury(treasury, 0);
        address[2] memory holders = [alice, bob];
        for (uint256 i = 0; i < 2; ++i) {
            asset.mint(holders[i], 1_000);
            vm.prank(holders[i]);
            asset.approve(address(made), 1_000);
            vm.prank(holders[i]);
            made.deposit(1_000, holders[i]);
        }
    }

    function requestAs(address account, uint256 assets) private {
        vm.prank(account);
        line.requestRedeem(assets * 1e6, account, account);
    }

    /// @dev Makes everything requested payable.
    function ripen() private {
        skip(1 hours);
        uint64 asOf = time();
        vm.prank(reporter);
        made.report(0, asOf, "evidence");
        skip(VESTING);
    }

    function claimAs(address account) private returns (uint256 assets) {
        vm.prank(account);
        return line.claim(account, account);
    }

    function expectRefusal() private {
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(asset)));
    }

    function expectWhole() private view {
        assertEq(asset.balanceOf(address(made)), made.totalAssets() + made.unsent(), "the vault has what it says");
    }

    function test_what_the_asset_refuses_the_queue_stays_in_the_vault_and_pays_the_claims() public {
        requestAs(alice, 400);
        requestAs(bob, 100);
        ripen();
        asset.refuse(address(line), true);
        vm.expectEmit(address(made));
        emit DemandVault.Unsent(500);
        (uint256 shares, uint256 assets) = line.process();
        assertEq(shares, 500e6, "processed");
        assertEq(assets, 500, "at the price");
        assertEq(made.unsent(), 500, "kept");
        assertEq(made.totalAssets(), 1_500, "for the queue alone");
        expectWhole();
        assertEq(claimAs(alice), 400, "alice");
        assertEq(asset.balanceOf(alice), 400, "has hers");
        assertEq(made.unsent(), 100, "bob's is left");
        assertEq(claimAs(bob), 100, "bob");
        assertEq(made.unsent(), 0, "nothing is left");
        expectWhole();
    }

    function test_what_is_kept_in_the_vault_adds_up() public {
        asset.refuse(address(line), true);
        requestAs(alice, 400);
        ripen();
        line.process();
        requestAs(bob, 100);
        ripen();
        line.process();
        assertEq(made.unsent(), 500, "both");
        expectWhole();
        assertEq(claimAs(alice) + claimAs(bob), 500, "are paid");
    }

    function test_a_report_goes_on_and_pays_the_queue_first() public {
        vm.prank(treasurer);
        made.deploy(1_000);
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        uint64 asOf = time();
        vm.prank(reporter);
        made.report(-15, asOf, "evidence");
        assertEq(made.unsent(), 400, "before the loss");
        assertEq(made.totalAssets(), 1_585, "which the rest bear");
        assertEq(claimAs(alice), 400, "in full");
    }

    function test_neither_the_treasury_nor_the_custodian_gets_what_is_kept_for_claims() public {
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        vm.expectRevert(DemandVault.ZeroAmount.selector);
        made.skim();
        asset.mint(address(made), 7);
        assertEq(made.skim(), 7, "the donation alone");
        vm.prank(treasurer);
        made.deploy(1_600);
        assertEq(asset.balanceOf(address(made)), 400, "all but what is kept");
        assertEq(claimAs(alice), 400, "which pays her");
    }

    function test_only_the_queue_pays_claims_from_the_vault() public {
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        vm.expectRevert(abi.encodeWithSelector(DemandVault.NotTheQueue.selector, alice));
        vm.prank(alice);
        made.payClaim(alice, 1);
    }

    function test_claims_take_what_is_kept_wherever_it_is_once_the_block_is_lifted() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        requestAs(bob, 300);
        requestAs(alice, 50);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        assertEq(asset.balanceOf(address(line)), 400, "the first batch was sent");
        assertEq(made.unsent(), 350, "the second was not");
        asset.refuse(address(line), false);
        assertEq(claimAs(alice), 450, "from both");
        assertEq(asset.balanceOf(address(line)), 0, "the queue's first");
        assertEq(made.unsent(), 300, "then the vault's");
        assertEq(claimAs(bob), 300, "and bob from the vault");
        expectWhole();
    }

    function test_money_sent_before_the_block_waits_for_the_issuer_and_the_rest_does_not() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        asset.refuse(address(line), true);
        expectRefusal();
        claimAs(alice);
        assertEq(line.claimableRedeemRequest(0, alice), 400e6, "nothing is lost");
        requestAs(bob, 300);
        ripen();
        line.process();
        vm.prank(alice);
        line.withdraw(250, alice, alice);
        assertEq(asset.balanceOf(alice), 250, "part of a claim goes as far as what is kept in the vault");
        assertEq(made.unsent(), 50, "which has less left");
        expectRefusal();
        claimAs(bob);
        asset.refuse(address(line), false);
        assertEq(claimAs(bob), 300, "all of bob's");
        assertEq(claimAs(alice), 150, "all of hers");
        assertEq(asset.balanceOf(address(line)) + made.unsent(), 0, "to the unit");
    }

    function test_a_claim_for_a_blocked_wallet_reverts_and_can_go_to_another() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        asset.refuse(alice, true);
        expectRefusal();
        claimAs(alice);
        vm.prank(alice);
        assertEq(line.claim(bob, alice), 400, "to bob");

        requestAs(bob, 100);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        asset.refuse(bob, true);
        vm.expectRevert(abi.encodeWithSelector(RefusingAsset.Refused.selector, bob));
        claimAs(bob);
        assertEq(made.unsent(), 100, "kept for him");
        asset.refuse(bob, false);
        assertEq(claimAs(bob), 100, "bob");
    }

    function test_what_the_asset_did_not_move_the_queue_does_not_send_again() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        asset.skipNext();
        expectRefusal();
        claimAs(alice);
        requestAs(bob, 400);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        asset.refuse(address(line), false);
        asset.skipNext();
        assertEq(claimAs(alice), 400, "the vault pays instead");
        assertEq(made.unsent(), 0, "from what it keeps");
        assertEq(asset.balanceOf(address(line)), 400, "the queue's is left");
        assertEq(claimAs(bob), 400, "and pays bob");
    }

    function test_a_stopped_asset_stops_claims_alone() public {
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        asset.refuse(address(made), true);
        line.process();
        assertEq(made.unsent(), 400, "processed all the same");
        vm.expectRevert(abi.encodeWithSelector(RefusingAsset.Refused.selector, address(made)));
        claimAs(alice);
        asset.refuse(address(made), false);
        assertEq(claimAs(alice), 400, "when it moves again");
    }

    function testFuzz_every_claim_is_paid_in_full_whatever_was_sent_before(uint16 first, uint16 second, uint16 part)
        public
    {
        uint256 before = 1 + uint256(first) % 900;
        uint256 after_ = 1 + uint256(second) % (1_000 - before);
        requestAs(alice, before);
        ripen();
        line.process();
        requestAs(alice, after_);
        requestAs(bob, 100);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        asset.refuse(address(line), false);
        uint256 taken = 1 + uint256(part) % (before + after_);
        vm.prank(alice);
        line.withdraw(taken, alice, alice);
        assertEq(claimAs(bob), 100, "bob");
        if (taken < before + after_) assertEq(claimAs(alice), before + after_ - taken, "the rest");
        assertEq(asset.balanceOf(alice), before + after_, "alice");
        assertEq(asset.balanceOf(address(line)) + made.unsent(), 0, "nothing is left");
        expectWhole();
    }
}
