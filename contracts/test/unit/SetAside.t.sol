// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {RefusingAsset} from "../support/Assets.sol";
import {World} from "../support/World.sol";

/// @dev The vault keeps and pays the money set aside for claims: an asset that refuses an address, skips a payment or begins
/// to charge a fee stops neither the queue nor the claims of others.
contract SetAsideTest is World {
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

    function expectWhole() private view {
        assertEq(asset.balanceOf(address(made)), made.totalAssets() + made.setAside(), "the vault has what it says");
    }

    function test_an_asset_that_refuses_the_queue_changes_nothing_for_its_claims() public {
        requestAs(alice, 400);
        requestAs(bob, 100);
        ripen();
        asset.refuse(address(line), true);
        (uint256 shares, uint256 assets) = line.process();
        assertEq(shares, 500e6, "processed");
        assertEq(assets, 500, "at the price");
        assertEq(made.setAside(), 500, "kept");
        assertEq(made.totalAssets(), 1_500, "for the queue alone");
        expectWhole();
        assertEq(claimAs(alice), 400, "alice");
        assertEq(asset.balanceOf(alice), 400, "has hers");
        assertEq(made.setAside(), 100, "bob's is left");
        assertEq(claimAs(bob), 100, "bob");
        assertEq(made.setAside(), 0, "nothing is left");
        expectWhole();
    }

    function test_the_money_set_aside_for_several_claims_adds_up() public {
        asset.refuse(address(line), true);
        requestAs(alice, 400);
        ripen();
        line.process();
        requestAs(bob, 100);
        ripen();
        line.process();
        assertEq(made.setAside(), 500, "both");
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
        assertEq(made.setAside(), 400, "before the loss");
        assertEq(made.totalAssets(), 1_585, "which the rest bear");
        assertEq(claimAs(alice), 400, "in full");
    }

    function test_neither_the_treasury_nor_the_custodian_gets_what_is_set_aside() public {
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        line.process();
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
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
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.NotTheQueue.selector, alice));
        vm.prank(alice);
        made.payClaim(alice, 1);
    }

    function test_a_claim_of_a_blocked_wallet_reverts_and_is_paid_to_another_wallet() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        asset.refuse(alice, true);
        vm.expectRevert(abi.encodeWithSelector(RefusingAsset.Refused.selector, alice));
        claimAs(alice);
        assertEq(line.claimableRedeemRequest(0, alice), 400e6, "nothing is lost");
        vm.prank(alice);
        assertEq(line.claim(bob, alice), 400, "to bob");
    }

    function test_a_payment_that_the_asset_skips_reverts_and_leaves_the_claim() public {
        requestAs(alice, 400);
        ripen();
        line.process();
        asset.skipNext();
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(asset)));
        claimAs(alice);
        assertEq(line.claimableRedeemRequest(0, alice), 400e6, "nothing is lost");
        expectWhole();
    }

    /// @dev The fee comes out of what the receiver gets, never out of what others are owed.
    function test_a_fee_charged_later_leaves_no_claim_short() public {
        requestAs(alice, 400);
        requestAs(bob, 100);
        ripen();
        line.process();
        asset.chargeFee(10);
        assertEq(claimAs(alice), 400, "alice");
        assertEq(asset.balanceOf(alice), 390, "less the fee");
        assertEq(claimAs(bob), 100, "bob, the last");
        assertEq(asset.balanceOf(bob), 90, "less the fee");
        expectWhole();
    }

    function test_a_stopped_asset_stops_claims_alone() public {
        requestAs(alice, 400);
        ripen();
        asset.refuse(address(line), true);
        asset.refuse(address(made), true);
        line.process();
        assertEq(made.setAside(), 400, "processed all the same");
        vm.expectRevert(abi.encodeWithSelector(RefusingAsset.Refused.selector, address(made)));
        claimAs(alice);
        asset.refuse(address(made), false);
        assertEq(claimAs(alice), 400, "when it moves again");
    }
}
