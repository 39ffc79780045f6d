// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {PlainVault} from "../support/Assets.sol";
import {EventModel} from "../support/EventModel.sol";
import {World} from "../support/World.sol";

contract DemandVaultFuzz is World {
    EventModel private model;

    function setUp() public {
        vm.recordLogs();
        deployWorld();
        model = new EventModel(address(vault));
    }

    /// @dev Brings the vault to a state of its own: some deposits, and a stream somewhere in its course.
    function seed(uint256 first, uint256 gain, uint256 wait) private {
        depositFor(bob, within(first, MIN_DEPOSIT, CAP / 2));
        skip(2 days);
        reportGain(within(gain, 0, vault.maxGain(time())));
        skip(within(wait, 0, REPORT_AGE));
    }

    function testFuzz_a_round_trip_never_profits(uint256 a, uint256 b, uint256 c, uint256 amount, bool byMint) public {
        seed(a, b, c);
        uint256 assets = within(amount, MIN_DEPOSIT + 1, vault.maxDeposit(alice));
        fund(alice, assets);
        if (byMint) {
            uint256 shares = vault.previewDeposit(assets);
            vm.prank(alice);
            assets = vault.mint(shares, alice);
            vm.prank(alice);
            assertAtMost(vault.redeem(shares, alice, alice), assets, "mint and redeem");
        } else {
            vm.prank(alice);
            uint256 shares = vault.deposit(assets, alice);
            uint256 most = vault.maxWithdraw(alice);
            assertAtMost(most, assets, "deposit and withdraw");
            assertAtMost(vault.previewWithdraw(most), shares, "deposit and withdraw, in shares");
            vm.prank(alice);
            assertAtMost(vault.redeem(shares, alice, alice), assets, "deposit and redeem");
        }
    }

    function testFuzz_previews_equal_what_happens(uint256 a, uint256 b, uint256 c, uint256 amount) public {
        seed(a, b, c);
        fund(alice, CAP);
        uint256 assets = within(amount, MIN_DEPOSIT, vault.maxDeposit(alice) / 2);
        uint256 expected = vault.previewDeposit(assets);
        vm.prank(alice);
        assertEq(vault.deposit(assets, alice), expected, "deposit");

        uint256 shares = within(amount, 2e12, vault.maxMint(alice));
        expected = vault.previewMint(shares);
        vm.prank(alice);
        assertEq(vault.mint(shares, alice), expected, "mint");

        assets = within(amount, 1, vault.maxWithdraw(alice) / 2);
        expected = vault.previewWithdraw(assets);
        vm.prank(alice);
        assertEq(vault.withdraw(assets, alice, alice), expected, "withdraw");

        shares = within(amount, 2e6, vault.maxRedeem(alice));
        expected = vault.previewRedeem(shares);
        uint256 before = dollar.balanceOf(alice);
        vm.prank(alice);
        assertEq(vault.redeem(shares, alice, alice), expected, "redeem");
        assertEq(dollar.balanceOf(alice) - before, expected, "paid");
    }

    /// @dev `max` is what the vault says, `kind` picks the call; above it every call must revert, at it none may.
    function attempt(uint256 kind, uint256 amount) private returns (bool done) {
        vm.prank(alice);
        if (kind == 0) (done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", amount, alice));
        if (kind == 1) (done,) = address(vault).call(abi.encodeWithSignature("mint(uint256,address)", amount, alice));
        if (kind == 2) {
            (done,) =
                address(vault).call(abi.encodeWithSignature("withdraw(uint256,address,address)", amount, alice, alice));
        }
        if (kind == 3) {
            (done,) =
                address(vault).call(abi.encodeWithSignature("redeem(uint256,address,address)", amount, alice, alice));
        }
    }

    function testFuzz_max_never_reverts_works_to_the_unit_and_not_one_beyond(
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 state,
        uint256 capNow,
        uint256 minNow,
        uint256 kind
    ) public {
        seed(a, b, c);
        depositFor(alice, within(c, MIN_DEPOSIT, CAP / 4));
        fund(alice, 2 * CAP);
        vm.prank(owner);
        vault.setCap(within(capNow, 0, CAP));
        vm.prank(owner);
        vault.setMinDeposit(within(minNow, 0, 10 * DOLLAR));
        if (state % 9 == 1) revoke(alice);
        if (state % 9 == 2) freeze(alice, true);
        if (state % 9 == 3) skip(4000 days);
        if (state % 9 >= 7) deployMoney(within(a, 1, vault.totalAssets() / 2));
        if (state % 9 == 8) request(bob, within(b, 1, vault.balanceOf(bob)));
        if (state % 9 == 4) {
            vm.prank(guardian);
            vault.pause();
        }
        if (state % 9 == 5) {
            closeProduct("solar-irrigation");
        }
        kind = kind % 4;
        uint256 max;
        if (kind == 0) max = vault.maxDeposit(alice);
        if (kind == 1) max = vault.maxMint(alice);
        if (kind == 2) max = vault.maxWithdraw(alice);
        if (kind == 3) max = vault.maxRedeem(alice);
        assertTrue(!attempt(kind, max + 1), "one beyond");
        if (max > 0) assertTrue(attempt(kind, max), "to the unit");
    }

    function testFuzz_a_donation_changes_nothing(uint256 a, uint256 b, uint256 c, uint256 amount) public {
        seed(a, b, c);
        uint256 total = vault.totalAssets();
        uint256 price = vault.convertToAssets(1e24);
        uint256 most = vault.maxDeposit(alice);
        uint256 exit = vault.maxWithdraw(bob);
        dollar.mint(address(vault), within(amount, 1, 1e30));
        assertEq(vault.totalAssets(), total, "totalAssets");
        assertEq(vault.convertToAssets(1e24), price, "share price");
        assertEq(vault.maxDeposit(alice), most, "maxDeposit");
        assertEq(vault.maxWithdraw(bob), exit, "maxWithdraw");
    }

    /// @dev The attacker comes first, holds shares and gives away up to a million times the victim's deposit.
    function testFuzz_the_first_depositor_cannot_rob_the_second(uint256 stake, uint256 gift, uint256 amount) public {
        uint256 victim = within(amount, MIN_DEPOSIT, CAP / 4);
        uint256 shares = depositFor(alice, within(stake, MIN_DEPOSIT, victim));
        assertTrue(shares > 0, "the attacker holds shares");
        uint256 given = within(gift, 0, victim * 1e6);
        dollar.mint(address(vault), given);
        uint256 got = vault.previewRedeem(depositFor(bob, victim));
        assertAtMost(victim - got, victim / 1e6, "the victim's loss");
        vm.prank(alice);
        uint256 out = vault.redeem(shares, alice, alice);
        assertAtMost(out, CAP, "the gift stays");
        assertAtMost(vault.totalAssets(), victim + 1, "the pool keeps what is the victim's");
    }

    function testFuzz_surrounding_a_report_earns_nothing(uint256 a, uint256 b, uint256 c, uint256 gain, uint256 amount)
        public
    {
        seed(a, b, within(c, 1, REPORT_AGE));
        uint256 assets = within(amount, MIN_DEPOSIT, vault.maxDeposit(alice));
        uint256 shares = depositFor(alice, assets);
        reportGain(within(gain, 0, vault.maxGain(time())));
        vm.prank(alice);
        assertAtMost(vault.redeem(shares, alice, alice), assets + 1, "out");
    }

    function testFuzz_it_agrees_with_a_plain_vault_of_the_same_offset(uint256 random) public {
        PlainVault plain = new PlainVault(IERC20(address(dollar)));
        fund(alice, 100 * CAP);
        vm.prank(alice);
        dollar.approve(address(plain), type(uint256).max);
        vm.prank(owner);
        vault.setMinDeposit(0);
        for (uint256 i = 0; i < 12; ++i) {
            random = uint256(keccak256(abi.encode(random)));
            uint256 kind = random % 6;
            if (kind == 0) {
                uint256 assets = within(random >> 8, 1, CAP / 20);
                vm.prank(alice);
                uint256 ours = vault.deposit(assets, alice);
                vm.prank(alice);
                assertEq(ours, plain.deposit(assets, alice), "deposit");
            } else if (kind == 1) {
                uint256 shares = within(random >> 8, 1, CAP / 20 * 1e6);
                vm.prank(alice);
                uint256 ours = vault.mint(shares, alice);
                vm.prank(alice);
                assertEq(ours, plain.mint(shares, alice), "mint");
            } else if (kind == 2 && plain.maxWithdraw(alice) > 0) {
                uint256 assets = within(random >> 8, 1, plain.maxWithdraw(alice));
                vm.prank(alice);
                uint256 ours = vault.withdraw(assets, alice, alice);
                vm.prank(alice);
                assertEq(ours, plain.withdraw(assets, alice, alice), "withdraw");
            } else if (kind == 3 && plain.balanceOf(alice) > 0) {
                uint256 shares = within(random >> 8, 1, plain.balanceOf(alice));
                if (plain.previewRedeem(shares) == 0) continue;
                vm.prank(alice);
                uint256 ours = vault.redeem(shares, alice, alice);
                vm.prank(alice);
                assertEq(ours, plain.redeem(shares, alice, alice), "redeem");
            } else if (kind == 4) {
                // The plain vault has no stream: it gets the same gain when ours has streamed it to the end.
                skip(1 days);
                uint256 gain = within(random >> 8, 0, vault.maxGain(time()));
                reportGain(gain);
                dollar.mint(address(plain), gain);
                (,,, uint64 end) = vault.stream();
                skip(end > time() ? end - time() : 1);
                reportGain(0);
            } else if (kind == 5 && vault.totalAssets() > 10) {
                // The plain vault has no custodian: the same amount vanishes from it.
                uint256 most = vault.totalAssets() / 2;
                deployMoney(most);
                uint256 loss = within(random >> 8, 1, most);
                skip(1);
                allowReview();
                reportLoss(loss);
                if (loss < most) repayMoney(most - loss);
                vm.prank(address(plain));
                dollar.transfer(custodian, loss);
                skip(1 days);
            }
            assertEq(vault.totalAssets(), plain.totalAssets(), "totalAssets");
            assertEq(vault.totalSupply(), plain.totalSupply(), "totalSupply");
            assertEq(vault.maxWithdraw(alice), plain.maxWithdraw(alice), "maxWithdraw");
        }
    }

    function observe() private {
        model.feed(vm.getRecordedLogs());
        assertEq(model.totalAssets(time()), vault.totalAssets(), "totalAssets");
        assertEq(model.totalSupply(), vault.totalSupply(), "totalSupply");
        assertEq(model.balanceOf(alice), vault.balanceOf(alice), "alice");
        assertEq(model.balanceOf(bob), vault.balanceOf(bob), "bob");
        assertEq(model.cap(), vault.cap(), "cap");
        assertEq(model.minDeposit(), vault.minDeposit(), "minDeposit");
        assertEq(model.pausedUntil(), vault.pausedUntil(), "pausedUntil");
        assertEq(model.asOf(), vault.lastReportAsOf(), "asOf");
    }

    function testFuzz_events_alone_rebuild_balances_limits_and_total_assets(uint256 random) public {
        observe();
        for (uint256 i = 0; i < 16; ++i) {
            random = uint256(keccak256(abi.encode(random)));
            address who = random & 1 == 0 ? alice : bob;
            uint256 amount = random >> 16;
            uint256 kind = (random >> 1) % 8;
            uint256 most = kind == 0 ? vault.maxDeposit(who) : vault.maxRedeem(who);
            if (kind == 0 && most > 0) {
                depositFor(who, within(amount, MIN_DEPOSIT, most));
            } else if ((kind == 1 || kind == 2) && most > 1e8) {
                // Often everything, so that money leaves in the middle of a stream.
                uint256 shares = kind == 1 ? most : within(amount, 1e7, most);
                vm.prank(who);
                vault.redeem(shares, who, who);
            } else if (kind == 3 && most > 0) {
                vm.prank(who);
                vault.transfer(who == alice ? bob : alice, within(amount, 1, most));
            } else if (kind == 4 || kind == 5) {
                skip(1 + amount % 2 days);
                reportGain(within(amount, 0, vault.maxGain(time())));
            } else if (kind == 6) {
                vm.prank(owner);
                vault.setCap(within(amount, CAP / 2, CAP));
            } else if (kind == 7 && (vault.pausedUntil() == 0 || vault.pausedUntil() + 7 days <= time())) {
                vm.prank(guardian);
                vault.pause();
            }
            skip(random % 3 * (amount % 30 hours));
            observe();
        }
    }
}
