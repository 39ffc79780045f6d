// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {Calendar} from "../../src/term/Calendar.sol";
import {TermBooks} from "../../src/term/TermBooks.sol";
import {IdentityWorld} from "./IdentityWorld.sol";

/// @dev The system with one time-deposit product, four terms, and interest funded.
abstract contract TermWorld is IdentityWorld {
    uint256 internal constant WAD = 1e18;
    uint256 internal constant TERM_CAP = 10_000_000 * DOLLAR;
    uint256 internal constant TERM_MIN = 10 * DOLLAR;
    uint256 internal constant BUFFER = 0.2e18;
    uint256 internal constant RESERVE = 100_000 * DOLLAR;
    uint256 internal constant NEVER = type(uint256).max;

    /// @dev 90 days at 6 %, 2 % when broken: the example of the product model.
    uint256 internal constant QUARTER = 0;
    uint256 internal constant MONTH = 1;
    uint256 internal constant WEEK = 2;
    /// @dev A year at 8 %, 3 % and a penalty of 1 % when broken.
    uint256 internal constant YEAR = 3;

    TermDeposit internal term;

    function deployTermWorld() internal {
        deployWorld();
        term = deployTerm("solar-term", IERC20(address(dollar)), TERM_MIN);
        addTerms(term);
        fundReserve(RESERVE);
    }

    function termParameters(uint256 minDeposit) internal view returns (TermDeposit.Parameters memory) {
        return TermBooks.Parameters(TERM_CAP, minDeposit, BUFFER, custodian, 0, renderer);
    }

    function createTerm(IERC20 asset, IdentityRegistry identities_, TermDeposit.Parameters memory p)
        internal
        returns (TermDeposit)
    {
        bytes memory arguments = abi.encode(asset, "Aqua Term", "aqTERM", identities_, products, manager, p);
        return TermDeposit(deploy("TermDeposit", arguments));
    }

    function deployTerm(string memory shortId, IERC20 asset, uint256 minDeposit) internal returns (TermDeposit made) {
        made = createTerm(asset, identities, termParameters(minDeposit));
        listAndAuthorize(shortId, made, asset);
    }

    function listAndAuthorize(string memory shortId, TermDeposit made, IERC20 asset) internal {
        authorize(made);
        vm.prank(owner);
        products.list(shortId, address(made), ProductRegistry.ProductType.TimeDeposit, address(asset), "meta");
    }

    function authorize(TermDeposit made) internal {
        allow(address(made), made.fundInterest.selector, TREASURER_ROLE);
        allow(address(made), made.withdrawInterest.selector, TREASURER_ROLE);
        allow(address(made), made.deploy.selector, TREASURER_ROLE);
        allow(address(made), made.bookLoss.selector, REPORTER_ROLE);
        allow(address(made), made.renewEvidence.selector, REPORTER_ROLE);
        allow(address(made), made.confirmLoss.selector, CONFIRMER_ROLE);
        allow(address(made), made.takeBackLoss.selector, CONFIRMER_ROLE);
        allow(address(made), made.setEvidence.selector, OWNER_ROLE);
        allow(address(made), made.pause.selector, GUARDIAN_ROLE);
        allow(address(made), made.addTerm.selector, OWNER_ROLE);
        allow(address(made), made.setTerm.selector, OWNER_ROLE);
        allow(address(made), made.setLimits.selector, OWNER_ROLE);
        allow(address(made), made.unpause.selector, OWNER_ROLE);
    }

    function addTerms(TermDeposit made) internal {
        addTerm(made, 90, Calendar.DAY, 0.06e18, 0.02e18, 0);
        addTerm(made, 1, Calendar.MONTH, 0.04e18, 0.01e18, 0.005e18);
        addTerm(made, 1, Calendar.WEEK, 0.03e18, 0, 0);
        addTerm(made, 1, Calendar.YEAR, 0.08e18, 0.03e18, 0.01e18);
    }

    function addTerm(TermDeposit made, uint16 count, uint8 unit, uint256 rate, uint256 breakRate, uint256 penalty)
        internal
        returns (uint256)
    {
        vm.prank(owner);
        return made.addTerm(count, unit, rate, breakRate, penalty, TERM_CAP, true);
    }

    function fundTerm(address account, uint256 amount) internal {
        dollar.mint(account, amount);
        vm.prank(account);
        dollar.approve(address(term), type(uint256).max);
    }

    function fundReserve(uint256 amount) internal {
        fundTerm(treasurer, amount);
        vm.prank(treasurer);
        term.fundInterest(amount);
    }

    function openFor(address account, uint256 termId, uint256 principal) internal returns (uint256 id) {
        fundTerm(account, principal);
        vm.prank(account);
        return term.open(termId, principal, NEVER);
    }

    function closeFor(address account, uint256 id) internal returns (uint256) {
        vm.prank(account);
        return term.close(id);
    }

    function deployFunds(uint256 amount) internal {
        vm.prank(treasurer);
        term.deploy(amount);
    }

    function repayFunds(uint256 amount) internal {
        fundTerm(custodian, 0);
        vm.prank(custodian);
        term.repay(amount);
    }

    /// @dev Books a loss; one that is reviewed is confirmed.
    function bookLoss(uint256 amount) internal {
        reportLossOfTerm(amount);
        (uint256 reviewed,) = term.reviewedLoss();
        if (reviewed > 0) confirmLossOfTerm();
    }

    function reportLossOfTerm(uint256 amount) internal {
        vm.prank(reporter);
        term.bookLoss(amount, "evidence");
    }

    function confirmLossOfTerm() internal {
        vm.prank(confirmer);
        term.confirmLoss();
    }

    function receiptOf(uint256 id) internal view returns (TermDeposit.Deposit memory deposit) {
        (deposit,) = term.receiptOf(id);
    }

    function maturityOf(uint256 id) internal view returns (uint256) {
        return receiptOf(id).maturity;
    }

    function dueOf(uint256 id) internal view returns (uint256) {
        return term.quoteExit(id, NEVER);
    }

    function freeInterest() internal view returns (uint256) {
        TermDeposit.Books memory books = term.books();
        return books.cash + books.deployed - books.liabilities;
    }
}
