// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {FalseAsset, FeeAsset, HookedAsset, PlainAsset, RefusingAsset, SilentAsset, SomethingAsset} from "../support/Assets.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Assets that lie, keep quiet, take a fee, refuse or call back do no harm.
contract TermHostileAssetsTest is TermWorld {
    function setUp() public {
        deployWorld();
    }

    /// @dev A product over the asset with money for Alice, Bob and the treasurer, and interest funded when `funded`.
    function prepare(PlainAsset asset, uint256 amount, bool funded) private {
        term = deployTerm("hostile-term", IERC20(address(asset)), 0);
        addTerms(term);
        address[3] memory holders = [alice, bob, treasurer];
        for (uint256 i = 0; i < 3; ++i) {
            asset.mint(holders[i], amount);
            vm.prank(holders[i]);
            asset.approve(address(term), type(uint256).max);
        }
        if (!funded) return;
        vm.prank(treasurer);
        term.fundInterest(amount);
    }

    function openAs(address account, uint256 termId, uint256 principal) private returns (uint256) {
        vm.prank(account);
        return term.open(termId, principal, NEVER);
    }

    function test_an_asset_that_takes_a_fee_is_refused_on_every_way_in() public {
        prepare(new FeeAsset(), 10_000, false);
        bytes memory reason = abi.encodeWithSelector(TermEvents.UnexpectedAmountReceived.selector, 1_000, 990);
        vm.expectRevert(reason);
        openAs(alice, QUARTER, 1_000);
        vm.expectRevert(reason);
        vm.prank(treasurer);
        term.fundInterest(1_000);
        vm.expectRevert(reason);
        vm.prank(alice);
        term.repay(1_000);
    }

    function test_an_asset_that_answers_false_is_refused() public {
        FalseAsset asset = new FalseAsset();
        prepare(asset, 10_000, false);
        bytes memory reason = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(asset));
        vm.expectRevert(reason);
        openAs(alice, QUARTER, 1_000);
        vm.expectRevert(reason);
        vm.prank(treasurer);
        term.fundInterest(1_000);
    }

    function test_an_asset_that_answers_nothing_works() public {
        SilentAsset asset = new SilentAsset();
        term = deployTerm("silent-term", IERC20(address(asset)), 0);
        addTerms(term);
        address[2] memory holders = [alice, treasurer];
        for (uint256 i = 0; i < 2; ++i) {
            asset.mint(holders[i], 10_000);
            vm.prank(holders[i]);
            asset.approve(address(term), 10_000);
        }
        vm.prank(treasurer);
        term.fundInterest(10_000);
        uint256 id = openAs(alice, YEAR, 10_000);
        vm.warp(START + 366 days);
        assertEq(closeFor(alice, id), 10_800, "round trip");
    }

    function test_assets_of_0_8_and_18_decimals_work() public {
        uint8[3] memory decimals = [0, 8, 18];
        for (uint256 i = 0; i < 3; ++i) {
            // 2028 is a leap year, which would make another sum.
            vm.warp(START);
            PlainAsset asset = new PlainAsset(decimals[i]);
            term = deployTerm(string.concat("decimals-", vm.toString(i)), IERC20(address(asset)), 0);
            addTerms(term);
            uint256 principal = 1_000 * 10 ** decimals[i];
            vm.prank(owner);
            term.setLimits(principal, 0);
            vm.prank(owner);
            term.setTerm(YEAR, principal, true);
            asset.mint(alice, principal);
            asset.mint(treasurer, principal);
            vm.prank(alice);
            asset.approve(address(term), principal);
            vm.prank(treasurer);
            asset.approve(address(term), principal);
            vm.prank(treasurer);
            term.fundInterest(principal);
            uint256 id = openAs(alice, YEAR, principal);
            assertEq(dueOf(id), principal + principal * 8 / 100, "eight per cent");
            skip(365 days);
            assertEq(closeFor(alice, id), principal + principal * 8 / 100, "paid");
        }
    }

    function test_a_wallet_the_asset_refuses_waits_alone_and_can_pass_its_receipt_on() public {
        RefusingAsset asset = new RefusingAsset();
        prepare(asset, 10_000, true);
        uint256 hers = openAs(alice, YEAR, 5_000);
        uint256 his = openAs(bob, YEAR, 5_000);
        asset.refuse(alice, true);
        vm.warp(START + 366 days);
        vm.expectRevert(abi.encodeWithSelector(RefusingAsset.Refused.selector, alice));
        closeFor(alice, hers);
        assertEq(closeFor(bob, his), 5_400, "bob is paid");
        vm.prank(alice);
        term.transferFrom(alice, bob, hers);
        assertEq(closeFor(bob, hers), 5_400, "and for her receipt too");
    }

    function test_a_rollover_of_all_moves_nothing_and_works_with_an_asset_that_refuses_that() public {
        prepare(new SomethingAsset(), 10_000_000, true);
        uint256 id = openAs(alice, WEEK, 1_000_000);
        skip(7 days);
        vm.prank(alice);
        uint256 next = term.rollover(id, WEEK, 0, 2);
        (TermDeposit.Deposit memory deposit,) = term.receiptOf(next);
        assertEq(deposit.principal, 1_000_000 + uint256(1_000_000) * 3 * 7 / 36_500, "all of it");
    }

    function test_an_asset_that_calls_back_meets_the_lock_on_every_entry() public {
        HookedAsset asset = new HookedAsset(6);
        prepare(asset, 1e12, true);
        grant(TREASURER_ROLE, address(asset));
        grant(REPORTER_ROLE, address(asset));
        bytes[13] memory calls = [
            abi.encodeCall(term.open, (WEEK, 1, NEVER)),
            abi.encodeCall(term.openWithPermit, (WEEK, 1, NEVER, 0, 0, 0, 0)),
            abi.encodeCall(term.close, (1)),
            abi.encodeCall(term.exitEarly, (1, 1, 0)),
            abi.encodeCall(term.rollover, (1, WEEK, 0, 1)),
            abi.encodeCall(term.autoRoll, (1)),
            abi.encodeCall(term.claim, (1)),
            abi.encodeCall(term.demand, (1)),
            abi.encodeCall(term.repay, (1)),
            abi.encodeCall(term.fundInterest, (1)),
            abi.encodeCall(term.withdrawInterest, (1)),
            abi.encodeCall(term.deploy, (1)),
            abi.encodeCall(term.bookLoss, (1, "evidence"))
        ];
        bytes32 lock =
            keccak256(abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
        for (uint256 i = 0; i < calls.length; ++i) {
            asset.arm(address(term), calls[i]);
            uint256 id = openAs(alice, YEAR, 1_000_000);
            assertTrue(asset.reached() && !asset.succeeded(), "called back in vain");
            assertEq(keccak256(asset.answer()), lock, "by the lock");
            asset.arm(address(term), calls[i]);
            vm.prank(alice);
            term.exitEarly(id, 1_000_000, 0);
            assertTrue(!asset.succeeded(), "called back in vain on the way out");
            assertEq(keccak256(asset.answer()), lock, "by the lock on the way out");
        }
    }

    function test_a_reader_called_in_the_middle_never_sees_more_than_there_is() public {
        HookedAsset asset = new HookedAsset(6);
        prepare(asset, 1e12, true);
        uint256 id = openAs(alice, YEAR, 1e9);
        uint256 coverage = term.coverage();
        asset.arm(address(term), abi.encodeCall(term.coverage, ()));
        openAs(bob, YEAR, 1e9);
        assertEq(abi.decode(asset.answer(), (uint256)), coverage, "before the money counts");
        asset.arm(address(term), abi.encodeCall(term.coverage, ()));
        vm.prank(alice);
        term.exitEarly(id, 1e9, 0);
        assertEq(abi.decode(asset.answer(), (uint256)), term.coverage(), "after it is gone");
    }
}
