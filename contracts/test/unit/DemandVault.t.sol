// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {World} from "../support/World.sol";

/// @dev Deposits, withdrawals and the gate: a case per path and per error.
contract DemandVaultTest is World {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function setUp() public {
        deployWorld();
    }

    function exceededDeposit(address receiver, uint256 assets, uint256 max) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxDeposit.selector, receiver, assets, max);
    }

    // ── Deposits ────────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_share_has_six_decimals_more_than_the_asset_and_starts_at_one() public {
        assertEq(vault.decimals(), 12, "decimals");
        assertEq(depositFor(alice, 1_000 * DOLLAR), 1_000e12, "shares");
        assertEq(vault.totalAssets(), 1_000 * DOLLAR, "totalAssets");
        assertEq(vault.convertToAssets(1e12), DOLLAR, "share price");
    }

    function test_a_deposit_says_so_and_may_be_for_another_verified_wallet() public {
        fund(alice, 10 * DOLLAR);
        vm.expectEmit(address(vault));
        emit IERC4626.Deposit(alice, bob, 10 * DOLLAR, 10e12);
        vm.prank(alice);
        vault.deposit(10 * DOLLAR, bob);
        assertEq(vault.balanceOf(bob), 10e12, "bob's shares");
    }

    function test_mint_takes_what_the_preview_says() public {
        fund(alice, 10 * DOLLAR);
        uint256 expected = vault.previewMint(3e12 + 1);
        vm.prank(alice);
        assertEq(vault.mint(3e12 + 1, alice), expected, "assets");
        assertEq(dollar.balanceOf(alice), 10 * DOLLAR - expected, "paid");
    }

    function test_deposits_for_wallets_without_a_live_record_are_refused() public {
        fund(alice, 30 * DOLLAR);
        address[3] memory receivers = [carol, bob, alice];
        revoke(bob);
        freeze(alice, true);
        for (uint256 i = 0; i < receivers.length; ++i) {
            assertEq(vault.maxDeposit(receivers[i]), 0, "maxDeposit");
            assertEq(vault.maxMint(receivers[i]), 0, "maxMint");
            bytes memory refusal = abi.encodeWithSelector(IDemandVault.ERC7943CannotReceive.selector, receivers[i]);
            vm.expectRevert(refusal);
            vm.prank(alice);
            vault.deposit(10 * DOLLAR, receivers[i]);
            vm.expectRevert(refusal);
            vm.prank(alice);
            vault.mint(10e12, receivers[i]);
        }
    }

    function test_the_cap_bounds_deposits_to_the_unit() public {
        fund(alice, CAP + 1);
        assertEq(vault.maxDeposit(alice), CAP, "room");
        vm.expectRevert(exceededDeposit(alice, CAP + 1, CAP));
        vm.prank(alice);
        vault.deposit(CAP + 1, alice);
        vm.prank(alice);
        vault.deposit(CAP, alice);
        assertEq(vault.maxDeposit(alice), 0, "full");
        assertEq(vault.maxMint(alice), 0, "full for mint");
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxMint.selector, alice, 1e12, 0));
        vm.prank(alice);
        vault.mint(1e12, alice);
    }

    function test_deposits_below_the_smallest_are_refused_and_zero_always() public {
        fund(alice, 10 * DOLLAR);
        bytes memory refusal =
            abi.encodeWithSelector(IDemandVault.BelowMinimumDeposit.selector, MIN_DEPOSIT - 1, MIN_DEPOSIT);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.deposit(MIN_DEPOSIT - 1, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.mint(1e12 - 1e6, alice);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.deposit(0, alice);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.mint(0, alice);
    }

    function test_when_less_than_the_smallest_deposit_fits_nothing_fits() public {
        vm.prank(owner);
        vault.setCap(10 * DOLLAR);
        depositFor(alice, 9 * DOLLAR + 1);
        assertEq(vault.maxDeposit(alice), 0, "maxDeposit");
        assertEq(vault.maxMint(alice), 0, "maxMint");
    }

    function test_a_closed_product_takes_no_deposits_and_lets_everyone_leave() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        closeProduct("solar-irrigation");
        fund(alice, 10 * DOLLAR);
        vm.expectRevert(exceededDeposit(alice, 10 * DOLLAR, 0));
        vm.prank(alice);
        vault.deposit(10 * DOLLAR, alice);
        vm.prank(alice);
        assertEq(vault.redeem(shares, alice, alice), 10 * DOLLAR, "redeemed");
    }

    function test_an_unlisted_vault_takes_no_deposits() public {
        DemandVault unlisted = createVault(IERC20(address(dollar)), identities, parameters(1));
        assertEq(unlisted.maxDeposit(alice), 0, "maxDeposit");
    }

    function test_an_old_report_closes_deposits_and_instant_exits_but_not_the_queue() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        vm.warp(START + REPORT_AGE);
        assertEq(vault.maxDeposit(alice), CAP - 10 * DOLLAR, "fresh to the last second");
        assertEq(vault.maxRedeem(alice), shares, "may leave at once");
        vm.warp(START + REPORT_AGE + 1);
        assertEq(vault.maxDeposit(alice), 0, "stale");
        assertEq(vault.maxRedeem(alice), 0, "no instant exit");
        assertEq(vault.maxWithdraw(alice), 0, "in assets neither");
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, alice, shares, 0));
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        request(alice, shares / 2);
        reportGain(0);
        assertTrue(vault.maxDeposit(alice) > 0, "fresh again");
        assertEq(vault.maxRedeem(alice), shares / 2, "and the rest may leave at once");
        queue.process();
        assertEq(claim(alice), 5 * DOLLAR, "paid by the queue");
    }

    // ── Limits of the caller ────────────────────────────────────────────────────────────────────────────────────────

    function test_the_limits_of_the_caller_hold_to_the_unit() public {
        fund(alice, 100 * DOLLAR);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.SlippageExceeded.selector, 10e12, 10e12 + 1));
        vault.deposit(10 * DOLLAR, alice, 10e12 + 1);
        vm.prank(alice);
        assertEq(vault.deposit(10 * DOLLAR, alice, 10e12), 10e12, "deposit");
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.SlippageExceeded.selector, 1e12, 1e12 - 1));
        vault.withdraw(DOLLAR, alice, alice, 1e12 - 1);
        vm.prank(alice);
        assertEq(vault.withdraw(DOLLAR, alice, alice, 1e12), 1e12, "withdraw");
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.SlippageExceeded.selector, DOLLAR, DOLLAR + 1));
        vault.redeem(1e12, alice, alice, DOLLAR + 1);
        vm.prank(alice);
        assertEq(vault.redeem(1e12, alice, alice, DOLLAR), DOLLAR, "redeem");
    }

    function permit(uint256 assets, uint256 deadline) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 content =
            keccak256(abi.encode(PERMIT, alice, address(vault), assets, dollar.nonces(alice), deadline));
        return vm.sign(ALICE_KEY, MessageHashUtils.toTypedDataHash(dollar.DOMAIN_SEPARATOR(), content));
    }

    function test_a_deposit_by_permit_needs_no_approval() public {
        dollar.mint(alice, 10 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(10 * DOLLAR, START);
        vm.prank(alice);
        assertEq(vault.depositWithPermit(10 * DOLLAR, alice, 10e12, START, v, r, s), 10e12, "shares");
    }

    function test_a_permit_someone_else_sent_first_does_no_harm() public {
        dollar.mint(alice, 10 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(10 * DOLLAR, START);
        vm.prank(bob);
        dollar.permit(alice, address(vault), 10 * DOLLAR, START, v, r, s);
        vm.prank(alice);
        assertEq(vault.depositWithPermit(10 * DOLLAR, alice, 10e12, START, v, r, s), 10e12, "shares");
    }

    function test_a_deposit_by_permit_holds_its_limit_and_refuses_a_stale_permit() public {
        dollar.mint(alice, 10 * DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = permit(10 * DOLLAR, START);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.SlippageExceeded.selector, 10e12, 10e12 + 1));
        vm.prank(alice);
        vault.depositWithPermit(10 * DOLLAR, alice, 10e12 + 1, START, v, r, s);
        skip(1);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, 10 * DOLLAR)
        );
        vm.prank(alice);
        vault.depositWithPermit(10 * DOLLAR, alice, 10e12, START, v, r, s);
    }

    // ── Withdrawals ─────────────────────────────────────────────────────────────────────────────────────────────────

    function test_withdraw_and_redeem_pay_what_the_previews_say() public {
        depositFor(alice, 10 * DOLLAR);
        uint256 shares = vault.previewWithdraw(3 * DOLLAR + 1);
        vm.expectEmit(address(vault));
        emit IERC4626.Withdraw(alice, bob, alice, 3 * DOLLAR + 1, shares);
        vm.prank(alice);
        assertEq(vault.withdraw(3 * DOLLAR + 1, bob, alice), shares, "shares");
        assertEq(dollar.balanceOf(bob), 3 * DOLLAR + 1, "paid to bob");
        uint256 rest = vault.balanceOf(alice);
        uint256 assets = vault.previewRedeem(rest);
        vm.prank(alice);
        assertEq(vault.redeem(rest, alice, alice), assets, "assets");
        assertEq(vault.totalSupply(), 0, "supply");
    }

    function test_nobody_takes_out_more_than_they_have_or_nothing() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        vm.expectRevert(abi.encodeWithSelector(ERC4626.ERC4626ExceededMaxRedeem.selector, alice, shares + 1, shares));
        vm.prank(alice);
        vault.redeem(shares + 1, alice, alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                ERC4626.ERC4626ExceededMaxWithdraw.selector, alice, 10 * DOLLAR + 1, 10 * DOLLAR
            )
        );
        vm.prank(alice);
        vault.withdraw(10 * DOLLAR + 1, alice, alice);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.withdraw(0, alice, alice);
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.redeem(0, alice, alice);
        // Worth less than one unit.
        vm.expectRevert(IDemandVault.ZeroAmount.selector);
        vm.prank(alice);
        vault.redeem(1, alice, alice);
    }

    function test_dust_worth_less_than_a_unit_counts_as_nothing_to_redeem() public {
        depositFor(alice, 10 * DOLLAR);
        vm.prank(alice);
        vault.transfer(bob, 999_999);
        assertEq(vault.maxRedeem(bob), 0, "one short of a unit");
        assertEq(vault.maxWithdraw(bob), 0, "in assets too");
        vm.prank(alice);
        vault.transfer(bob, 1);
        assertEq(vault.maxRedeem(bob), 1e6, "a unit");
        vm.prank(bob);
        assertEq(vault.redeem(1e6, bob, bob), 1, "is paid");
    }

    /// @dev Everyone has left in the middle of a stream: what comes after belongs to the pool, one share is dear.
    function test_room_too_small_for_one_share_counts_as_none() public {
        uint256 shares = depositFor(alice, CAP);
        skip(1 days);
        reportGain(vault.maxGain(time()));
        skip(1);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        skip(VESTING);
        uint256 total = vault.totalAssets();
        uint256 price = vault.previewMint(1);
        assertTrue(price > 2, "one share is dear");
        vm.prank(owner);
        vault.setMinDeposit(0);
        reportGain(0);
        fund(alice, CAP);
        vm.prank(owner);
        vault.setCap(total + price - 1);
        assertEq(vault.maxDeposit(alice), 0, "maxDeposit");
        assertEq(vault.maxMint(alice), 0, "maxMint");
        vm.prank(owner);
        vault.setCap(total + price);
        assertEq(vault.maxMint(alice), 1, "one share fits");
        uint256 max = vault.maxDeposit(alice);
        vm.prank(alice);
        assertEq(vault.deposit(max, alice), 1, "and is sold");
    }

    function test_another_wallet_withdraws_only_with_an_allowance() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, bob, 0, shares));
        vm.prank(bob);
        vault.redeem(shares, bob, alice);
        vm.prank(alice);
        vault.approve(bob, shares);
        vm.prank(bob);
        vault.redeem(shares, bob, alice);
        assertEq(dollar.balanceOf(bob), 10 * DOLLAR, "paid");
        assertEq(vault.allowance(alice, bob), 0, "allowance used");
    }

    function test_an_exit_only_wallet_leaves_to_itself_and_nowhere_else() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        revoke(alice);
        assertEq(vault.maxRedeem(alice), shares, "maxRedeem");
        assertEq(vault.maxWithdraw(alice), 10 * DOLLAR, "maxWithdraw");
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ExitOnlyToSelf.selector, alice, bob));
        vm.prank(alice);
        vault.redeem(shares, bob, alice);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ExitOnlyToSelf.selector, alice, bob));
        vm.prank(alice);
        vault.withdraw(DOLLAR, bob, alice);
        vm.prank(alice);
        vault.withdraw(DOLLAR, alice, alice);
        shares = vault.balanceOf(alice);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        assertEq(dollar.balanceOf(alice), 10 * DOLLAR, "all paid");
    }

    function test_a_frozen_wallet_waits() public {
        uint256 shares = depositFor(alice, 10 * DOLLAR);
        freeze(alice, true);
        assertEq(vault.maxRedeem(alice), 0, "maxRedeem");
        assertEq(vault.maxWithdraw(alice), 0, "maxWithdraw");
        bytes memory refusal = abi.encodeWithSelector(IDemandVault.ERC7943CannotSend.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.withdraw(DOLLAR, alice, alice);
        freeze(alice, false);
        vm.prank(alice);
        vault.redeem(shares, alice, alice);
    }

    // ── Transfers ───────────────────────────────────────────────────────────────────────────────────────────────────

    function test_shares_go_only_between_verified_wallets() public {
        depositFor(alice, 10 * DOLLAR);
        vm.prank(alice);
        vault.transfer(bob, 1e12);
        assertEq(vault.balanceOf(bob), 1e12, "bob's shares");
        assertTrue(vault.canTransfer(alice, bob, 9e12), "can transfer");
        assertTrue(!vault.canTransfer(alice, bob, 9e12 + 1), "not more than there is");
        assertTrue(!vault.canTransfer(alice, carol, 1), "not to a stranger");
        assertTrue(vault.canReceive(bob), "a verified wallet can receive");
        assertTrue(!vault.canReceive(carol), "a stranger cannot");
        freeze(bob, true);
        assertTrue(!vault.canReceive(bob), "nor can a frozen wallet");
        freeze(bob, false);

        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotReceive.selector, carol));
        vm.prank(alice);
        vault.transfer(carol, 1e12);

        revoke(bob);
        assertTrue(vault.canSend(bob) && !vault.canReceive(bob), "exit-only");
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotTransfer.selector, bob, alice, 1e12));
        vm.prank(bob);
        vault.transfer(alice, 1e12);

        freeze(bob, true);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotSend.selector, bob));
        vm.prank(bob);
        vault.transfer(alice, 1e12);
    }

    function test_an_allowance_does_not_pass_the_gate() public {
        depositFor(alice, 10 * DOLLAR);
        vm.prank(alice);
        vault.approve(carol, 10e12);
        vm.expectRevert(abi.encodeWithSelector(IDemandVault.ERC7943CannotReceive.selector, carol));
        vm.prank(carol);
        vault.transferFrom(alice, carol, 1e12);
    }
}
