// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermWorld} from "../support/TermWorld.sol";

/// @dev Gas of whole transactions, of wallets that hold receipts and dollars already where nothing else is said.
contract TermDepositGas is TermWorld {
    uint256 private soon;
    uint256 private late;

    function setUp() public {
        deployTermWorld();
        soon = openFor(alice, WEEK, 1_000 * DOLLAR);
        late = openFor(alice, MONTH, 1_000 * DOLLAR);
        openFor(bob, MONTH, 1_000 * DOLLAR);
        fundTerm(alice, 10_000 * DOLLAR);
        skip(7 days);
    }

    function test_open() public {
        vm.prank(alice);
        term.open(MONTH, 1_000 * DOLLAR, NEVER);
        vm.snapshotGasLastCall("gas", "TermDeposit open");
    }

    function test_first_open_of_a_wallet() public {
        bindWallet(CAROL_KEY, 0xc3);
        fundTerm(carol, 2_000 * DOLLAR);
        vm.prank(carol);
        term.open(MONTH, 1_000 * DOLLAR, NEVER);
        vm.snapshotGasLastCall("gas", "TermDeposit open, first of a wallet");
    }

    function test_close() public {
        vm.prank(alice);
        term.close(soon);
        vm.snapshotGasLastCall("gas", "TermDeposit close");
    }

    function test_exit_early() public {
        vm.prank(alice);
        term.exitEarly(late, 1_000 * DOLLAR, 0);
        vm.snapshotGasLastCall("gas", "TermDeposit exitEarly");
    }

    function test_exit_early_of_a_part() public {
        vm.prank(alice);
        term.exitEarly(late, 400 * DOLLAR, 0);
        vm.snapshotGasLastCall("gas", "TermDeposit exitEarly, a part");
    }

    function test_rollover() public {
        vm.prank(alice);
        term.rollover(soon, MONTH, 0, 2);
        vm.snapshotGasLastCall("gas", "TermDeposit rollover");
    }

    function test_auto_roll() public {
        vm.prank(alice);
        term.setAutoRoll(soon, MONTH, 0, 1);
        vm.prank(carol);
        term.autoRoll(soon);
        vm.snapshotGasLastCall("gas", "TermDeposit autoRoll");
    }

    function test_transfer() public {
        vm.prank(alice);
        term.transferFrom(alice, bob, late);
        vm.snapshotGasLastCall("gas", "TermDeposit transfer");
    }

    function test_claim() public {
        deployFunds(2_400 * DOLLAR);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        bookLoss(1_000 * DOLLAR);
        vm.prank(alice);
        term.claim(soon);
        vm.snapshotGasLastCall("gas", "TermDeposit claim");
    }
}
