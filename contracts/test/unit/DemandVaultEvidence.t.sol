// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {World} from "../support/World.sol";

/// @dev Until when a product's evidence stands, what closes when it does not, and the evidence of a report.
contract DemandVaultEvidenceTest is World {
    uint64 private constant UNTIL = START + 100 days;

    function setUp() public {
        deployWorld();
        DemandVault.Parameters memory p = parameters(MIN_DEPOSIT);
        p.maxReportAge = 45 days;
        p.evidenceUntil = UNTIL;
        vault = createVault(IERC20(address(dollar)), identities, p);
        listVault("watched", vault, IERC20(address(dollar)));
        queue = deployQueue(vault);
        fund(alice, 10_000 * DOLLAR);
    }

    function deposit() private {
        vm.prank(alice);
        vault.deposit(100 * DOLLAR, alice);
    }

    function renew(bytes32 document, uint64 until) private {
        vm.prank(reporter);
        vault.renewEvidence(document, until);
    }

    function test_deposits_close_by_themselves_at_the_second_the_evidence_lapses_and_exits_never() public {
        deposit();
        vm.warp(UNTIL - 40 days);
        reportGain(0);
        vm.warp(UNTIL - 1);
        deposit();
        vm.warp(UNTIL);
        assertEq(vault.maxDeposit(alice), 0, "maxDeposit");
        assertEq(vault.maxMint(alice), 0, "maxMint");
        bytes memory lapsed = abi.encodeWithSelector(IDemandVault.EvidenceLapsed.selector, UNTIL);
        vm.expectRevert(lapsed);
        vm.prank(alice);
        vault.deposit(100 * DOLLAR, alice);
        vm.expectRevert(lapsed);
        vm.prank(alice);
        vault.mint(100e12, alice);
        vm.prank(alice);
        vault.withdraw(50 * DOLLAR, alice, alice);
        request(alice, 50e12);
        skip(1);
        reportGain(0);
        queue.process();
        assertEq(claim(alice), 50 * DOLLAR, "through the queue too");
    }

    function test_renewing_opens_deposits_again() public {
        vm.warp(UNTIL - 1);
        reportGain(0);
        skip(1);
        uint64 until = time() + 400 days;
        vm.expectEmit(address(vault));
        emit IDemandVault.EvidenceRenewed("new document", until);
        renew("new document", until);
        assertEq(vault.desk().evidenceUntil, until, "evidenceUntil");
        deposit();
    }

    function test_renewing_needs_a_document_and_a_later_time_within_four_hundred_days() public {
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        renew(0, UNTIL + 1);
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        renew("document", UNTIL);
        uint64 most = time() + 400 days;
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        renew("document", most + 1);
        renew("document", most);
    }

    function test_the_owner_may_also_shorten_it() public {
        uint64 until = time() + 1;
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(owner);
        vault.setEvidence("document", until - 1);
        vm.prank(owner);
        vault.setEvidence("document", until);
        deposit();
        skip(1);
        assertEq(vault.maxDeposit(alice), 0, "lapsed");
    }

    function test_a_product_without_devices_has_none_to_lapse_or_to_name() public {
        DemandVault plain = deployVault("plain", IERC20(address(dollar)), MIN_DEPOSIT);
        deployQueue(plain);
        assertEq(plain.desk().evidenceUntil, 0, "none");
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        vm.prank(reporter);
        plain.renewEvidence("document", UNTIL);
        skip(1);
        uint64 asOf = time();
        vm.prank(reporter);
        plain.report(0, asOf, 0);
    }

    function test_a_report_of_a_product_with_devices_names_its_evidence() public {
        skip(1);
        uint64 asOf = time();
        vm.expectRevert(IDemandVault.EvidenceMissing.selector);
        vm.prank(reporter);
        vault.report(0, asOf, 0);
        vm.prank(reporter);
        vault.report(0, asOf, "evidence");
    }

    function test_a_new_vault_says_until_when_and_at_most_four_hundred_days_ahead() public {
        DemandVault.Parameters memory p = parameters(MIN_DEPOSIT);
        p.evidenceUntil = time() + 400 days + 1;
        vm.expectRevert(IDemandVault.InvalidParameters.selector);
        this.create(p);
        p.evidenceUntil = time() + 400 days;
        DemandVault made = this.create(p);
        assertEq(made.desk().evidenceUntil, p.evidenceUntil, "evidenceUntil");
    }

    function create(DemandVault.Parameters calldata p) external returns (DemandVault) {
        return createVault(IERC20(address(dollar)), identities, p);
    }

    /// @dev The quick bound in the vault's first slot ends before the exact time, whatever it is.
    function testFuzz_a_deposit_after_the_evidence_lapsed_is_never_taken(uint64 until, uint64 at) public {
        vm.prank(owner);
        vault.setEvidence("document", uint64(within(until, START + 1, START + 44 days)));
        vm.warp(within(at, START, START + 44 days));
        bool open = time() < vault.desk().evidenceUntil;
        vm.prank(alice);
        (bool done,) = address(vault).call(abi.encodeWithSignature("deposit(uint256,address)", 100 * DOLLAR, alice));
        assertTrue(done == open, "open exactly until then");
    }
}
