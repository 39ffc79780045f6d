// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {FalseAsset, FeeAsset, HookedAsset, PlainAsset, SilentAsset} from "../support/Assets.sol";
import {World} from "../support/World.sol";

/// @dev A queue that is its vault's asset too.
contract HookedQueue is HookedAsset(6) {
    address public share;

    function belongTo(address vault) external {
        share = vault;
    }
}

/// @dev Assets that lie, keep quiet, take a fee or call back do no harm.
contract HostileAssetsTest is World {
    function setUp() public {
        deployWorld();
    }

    function prepare(PlainAsset asset, uint256 amount) private returns (DemandVault made) {
        made = prepareAlone(asset, amount);
        deployQueue(made);
    }

    function prepareAlone(PlainAsset asset, uint256 amount) private returns (DemandVault made) {
        made = deployVault("hostile", IERC20(address(asset)), 0);
        asset.mint(alice, amount);
        vm.prank(alice);
        asset.approve(address(made), amount);
    }

    function test_an_asset_that_takes_a_fee_is_refused() public {
        DemandVault made = prepare(new FeeAsset(), 1_000);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.UnexpectedAmountReceived.selector, 1_000, 990));
        vm.prank(alice);
        made.deposit(1_000, alice);
    }

    function test_an_asset_that_answers_false_is_refused() public {
        FalseAsset asset = new FalseAsset();
        DemandVault made = prepare(asset, 1_000);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(asset)));
        vm.prank(alice);
        made.deposit(1_000, alice);
    }

    function test_an_asset_that_answers_nothing_works() public {
        SilentAsset asset = new SilentAsset();
        DemandVault made = deployVault("silent", IERC20(address(asset)), 0);
        deployQueue(made);
        asset.mint(alice, 1_000);
        vm.prank(alice);
        asset.approve(address(made), 1_000);
        vm.prank(alice);
        uint256 shares = made.deposit(1_000, alice);
        vm.prank(alice);
        assertEq(made.redeem(shares, alice, alice), 1_000, "round trip");
    }

    function test_assets_of_0_8_and_18_decimals_work() public {
        uint8[3] memory decimals = [0, 8, 18];
        string[3] memory names = ["zero", "eight", "eighteen"];
        for (uint256 i = 0; i < decimals.length; ++i) {
            PlainAsset asset = new PlainAsset(decimals[i]);
            DemandVault made = deployVault(names[i], IERC20(address(asset)), 0);
            deployQueue(made);
            assertEq(made.decimals(), decimals[i] + 6, "decimals");
            uint256 one = 10 ** decimals[i];
            asset.mint(alice, one);
            vm.prank(owner);
            made.setCap(one);
            vm.prank(alice);
            asset.approve(address(made), one);
            vm.prank(alice);
            made.deposit(one, alice);
            assertEq(made.balanceOf(alice), 10 ** made.decimals(), "one share");
        }
    }

    function test_an_asset_that_calls_back_meets_the_lock_on_every_entry() public {
        HookedAsset asset = new HookedAsset(6);
        DemandVault made = prepare(asset, 1_000_000);
        bytes[4] memory calls = [
            abi.encodeCall(made.mint, (1, alice)),
            abi.encodeWithSignature("deposit(uint256,address)", 1, alice),
            abi.encodeWithSignature("redeem(uint256,address,address)", 1, alice, alice),
            abi.encodeWithSignature("withdraw(uint256,address,address)", 1, alice, alice)
        ];
        bytes32 lock =
            keccak256(abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
        for (uint256 i = 0; i < calls.length; ++i) {
            asset.arm(address(made), calls[i]);
            vm.prank(alice);
            made.deposit(1_000, alice);
            assertTrue(asset.reached() && !asset.succeeded(), "called back in vain");
            assertEq(keccak256(asset.answer()), lock, "by the lock");
            asset.arm(address(made), calls[i]);
            vm.prank(alice);
            made.withdraw(100, alice, alice);
            assertTrue(!asset.succeeded(), "called back in vain on the way out");
            assertEq(keccak256(asset.answer()), lock, "by the lock on the way out");
        }
    }

    function test_an_asset_that_calls_back_meets_the_lock_of_treasurer_reporter_and_queue_too() public {
        HookedAsset asset = new HookedAsset(6);
        DemandVault made = prepareAlone(asset, 1_000_000);
        RedemptionQueue line = deployQueue(made);
        vm.prank(owner);
        made.setCustodian(custodian, 0);
        vm.prank(owner);
        made.setTreasury(treasury, 0);
        vm.prank(alice);
        made.deposit(1_000_000, alice);
        asset.mint(custodian, 1_000);
        asset.mint(reporter, 1_000);
        vm.prank(custodian);
        asset.approve(address(made), 1_000);
        vm.prank(reporter);
        asset.approve(address(made), 1_000);
        vm.prank(alice);
        line.requestRedeem(2_000e6, alice, alice);
        skip(1 days);

        bytes memory exit = abi.encodeWithSignature("redeem(uint256,address,address)", 1, alice, alice);
        asset.arm(address(made), exit);
        vm.prank(treasurer);
        made.deploy(1_000);
        expectLocked(asset, "deploy");
        asset.arm(address(made), abi.encodeCall(made.skim, ()));
        vm.prank(custodian);
        made.repay(1_000);
        expectLocked(asset, "repay");
        asset.arm(address(made), abi.encodeCall(made.recover, (alice)));
        uint64 asOf = time();
        vm.prank(reporter);
        made.report(1, asOf, 0);
        expectLocked(asset, "report");
        asset.mint(address(made), 5);
        asset.arm(address(made), abi.encodeCall(made.repay, (1)));
        made.skim();
        expectLocked(asset, "skim");
        skip(VESTING);
        asset.arm(address(line), abi.encodeCall(line.process, ()));
        line.process();
        expectLocked(asset, "process");
        asset.arm(address(line), abi.encodeCall(line.claim, (alice, alice)));
        vm.prank(alice);
        assertEq(line.claim(alice, alice), 2_000, "claimed once");
        expectLocked(asset, "claim");
    }

    /// @dev An asset that is queue, reporter, treasurer and confirmer at once, so that nothing but the lock stops it.
    function test_an_asset_with_every_role_meets_the_lock_too() public {
        HookedQueue asset = new HookedQueue();
        DemandVault made = prepareAlone(asset, 1_000_000);
        asset.belongTo(address(made));
        made.setQueue(address(asset));
        grant(REPORTER_ROLE, address(asset));
        grant(CONFIRMER_ROLE, address(asset));
        allow(address(made), made.deploy.selector, TREASURER_ROLE);
        grant(TREASURER_ROLE, address(asset));
        skip(1);
        bytes[10] memory calls = [
            abi.encodeCall(made.report, (0, time(), bytes32(0))),
            abi.encodeCall(made.takeBackLoss, ()),
            abi.encodeCall(made.restore, (1)),
            abi.encodeCall(made.deploy, (1)),
            abi.encodeCall(made.repay, (1)),
            abi.encodeCall(made.skim, ()),
            abi.encodeCall(made.recover, (alice)),
            abi.encodeCall(made.serveQueue, (1)),
            abi.encodeCall(made.payClaim, (alice, 0)),
            abi.encodeWithSignature("redeem(uint256,address,address)", 0, alice, alice)
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            asset.arm(address(made), calls[i]);
            vm.prank(alice);
            made.deposit(1_000, alice);
            expectLocked(asset, vm.toString(i));
        }
    }

    function expectLocked(HookedAsset asset, string memory what) private view {
        bytes32 lock =
            keccak256(abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
        assertTrue(asset.reached() && !asset.succeeded(), what);
        assertEq(keccak256(asset.answer()), lock, what);
    }

    function test_a_reader_called_in_the_middle_never_sees_a_price_above_the_true_one() public {
        HookedAsset asset = new HookedAsset(6);
        DemandVault made = prepare(asset, 2_000_000);
        vm.prank(alice);
        made.deposit(1_000_000, alice);
        uint256 price = made.convertToAssets(1e18);
        asset.arm(address(made), abi.encodeCall(made.convertToAssets, (1e18)));
        vm.prank(alice);
        made.deposit(1_000_000, alice);
        assertEq(abi.decode(asset.answer(), (uint256)), price, "on the way in");
        asset.arm(address(made), abi.encodeCall(made.convertToAssets, (1e18)));
        vm.prank(alice);
        made.withdraw(500_000, alice, alice);
        assertEq(abi.decode(asset.answer(), (uint256)), price, "on the way out");
    }
}
