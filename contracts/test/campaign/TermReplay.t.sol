// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Calendar} from "../../src/term/Calendar.sol";
import {Replay} from "../support/Replay.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev Repeats on the contract what contracts/proofs/trace.ml ran through the model that the proofs are about: each call
/// must be refused where the model refuses it, and else move the same money and leave the same books.
contract TermReplayTest is TermWorld, Replay {
    uint256 private constant NEW = 0;
    uint256 private constant OPEN = 1;
    uint256 private constant CLOSE = 2;
    uint256 private constant EXIT = 3;
    uint256 private constant ROLL = 4;
    uint256 private constant FUND = 5;
    uint256 private constant WITHDRAW = 6;
    uint256 private constant DEPLOY = 7;
    uint256 private constant REPAY = 8;
    uint256 private constant LOSS = 9;
    uint256 private constant DEMAND = 10;
    uint256 private constant CLAIM = 11;
    uint256 private constant WAIT = 12;

    uint256 private constant MOST = (1 << 104) - 1;

    uint256 private count;

    function setUp() public {
        deployWorld();
        newProduct();
    }

    function test_a_time_deposit_does_what_the_proven_model_does() public {
        replayAll("term-model");
    }

    function newProduct() private {
        term = deployTerm(string.concat("term-", vm.toString(++count)), IERC20(address(dollar)), 0);
        vm.prank(owner);
        term.setLimits(MOST, 0);
        offer(7, 0.1e18, 0.02e18, 0.005e18);
        offer(30, 0.06e18, 0, 0);
        offer(3, 1e18, 0.5e18, 0.1e18);
        offer(1, 333333333333333333, 1, 1234567890123456);
        fundTerm(alice, 1 << 96);
        fundTerm(treasurer, 1 << 96);
        fundTerm(custodian, 1 << 96);
    }

    function offer(uint16 days_, uint256 rate, uint256 breakRate, uint256 penalty) private {
        vm.prank(owner);
        term.addTerm(days_, Calendar.DAY, rate, breakRate, penalty, MOST, true);
    }

    /// @dev call, receipt, choice, amount and, where it is not refused: assets, cash, deployed, liabilities, reserved.
    function repeat(uint256[] memory row, string memory where) internal override {
        (bool done, uint256 assets) = call(row[0], row[1], row[2], row[3]);
        require(done == (row.length > 4), string.concat(where, done ? ": is not refused" : ": is refused"));
        if (!done) return;
        TermDeposit.Books memory books = term.books();
        assertEq(assets, row[4], where);
        assertEq(books.cash, row[5], where);
        assertEq(books.deployed, row[6], where);
        assertEq(books.liabilities, row[7], where);
        assertEq(books.reserved, row[8], where);
        assertEq(dollar.balanceOf(address(term)), row[5], where);
    }

    function call(uint256 kind, uint256 id, uint256 choice, uint256 amount) private returns (bool done, uint256 assets) {
        if (kind == NEW) {
            newProduct();
            return (true, 0);
        }
        if (kind == WAIT) {
            skip(amount);
            return (true, 0);
        }
        address who = kind == FUND ? treasurer : kind == WITHDRAW || kind == DEPLOY || kind == REPAY ? custodian : alice;
        uint256 money = dollar.balanceOf(who);
        done = kind == DEMAND ? demanded(id) : called(kind, id, choice, amount);
        uint256 rest = dollar.balanceOf(who);
        return (done, money > rest ? money - rest : rest - money);
    }

    function called(uint256 kind, uint256 id, uint256 choice, uint256 amount) private returns (bool) {
        if (kind == OPEN) return tries(alice, abi.encodeCall(term.open, (choice, amount, NEVER)));
        if (kind == CLOSE) return tries(alice, abi.encodeCall(term.close, (id)));
        if (kind == EXIT) return tries(alice, abi.encodeCall(term.exitEarly, (id, amount, 0)));
        if (kind == ROLL) {
            return tries(alice, abi.encodeCall(term.rollover, (id, choice % 4, 0, choice < 4 ? 1 : 2)));
        }
        if (kind == FUND) return tries(treasurer, abi.encodeCall(term.fundInterest, (amount)));
        if (kind == WITHDRAW) return tries(treasurer, abi.encodeCall(term.withdrawInterest, (amount)));
        if (kind == DEPLOY) return tries(treasurer, abi.encodeCall(term.deploy, (amount)));
        if (kind == REPAY) return tries(custodian, abi.encodeCall(term.repay, (amount)));
        if (kind == LOSS) return tries(reporter, abi.encodeCall(term.bookLoss, (amount, "evidence")));
        require(kind == CLAIM, "no such call");
        return tries(alice, abi.encodeCall(term.claim, (id)));
    }

    /// @dev The model knows a demand that was waited for; the trace's time has passed by then.
    function demanded(uint256 id) private returns (bool done) {
        done = tries(alice, abi.encodeCall(term.demand, (id)));
        if (!done) return false;
        skip(3 days);
        require(tries(alice, abi.encodeCall(term.demand, (id))), "the second demand is refused");
    }

    function tries(address who, bytes memory data) private returns (bool done) {
        vm.prank(who);
        (done,) = address(term).call(data);
    }
}
