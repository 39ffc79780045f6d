// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PlainVault} from "../support/Assets.sol";
import {IdentityWorld} from "../support/IdentityWorld.sol";

/// @dev Gas of whole transactions (forge's --isolate), between wallets that already hold shares and dollars.
contract GasTest is IdentityWorld {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    PlainVault private plain;

    function setUp() public {
        deployWorld();
        plain = new PlainVault(IERC20(address(dollar)));
        fund(alice, 10_000 * DOLLAR);
        fund(bob, 10_000 * DOLLAR);
        vm.prank(alice);
        dollar.approve(address(plain), type(uint256).max);
        vm.prank(alice);
        plain.deposit(1_000 * DOLLAR, alice);
        vm.prank(alice);
        vault.deposit(1_000 * DOLLAR, alice);
        vm.prank(bob);
        vault.deposit(1_000 * DOLLAR, bob);
        skip(1 hours);
        reportGain(10_000);
        skip(1 hours);
    }

    /// @dev Compiled with the tests, so without the optimizer's pass over common subexpressions: 399 gas more.
    function test_plain_deposit() public {
        vm.prank(alice);
        plain.deposit(100 * DOLLAR, alice);
        vm.snapshotGasLastCall("gas", "OpenZeppelin ERC4626 deposit");
    }

    function test_deposit() public {
        vm.prank(alice);
        vault.deposit(100 * DOLLAR, alice);
        vm.snapshotGasLastCall("gas", "DemandVault deposit");
    }

    function test_deposit_with_limit() public {
        vm.prank(alice);
        vault.deposit(100 * DOLLAR, alice, 1);
        vm.snapshotGasLastCall("gas", "DemandVault deposit with minShares");
    }

    function test_redeem() public {
        vm.prank(alice);
        vault.redeem(100 * DOLLAR, alice, alice);
        vm.snapshotGasLastCall("gas", "DemandVault redeem");
    }

    function test_deposit_with_permit() public {
        vm.prank(alice);
        dollar.approve(address(vault), 0);
        uint256 deadline = block.timestamp;
        bytes32 permit =
            keccak256(abi.encode(PERMIT, alice, address(vault), 100 * DOLLAR, dollar.nonces(alice), deadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(dollar.DOMAIN_SEPARATOR(), permit);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, digest);
        vm.prank(alice);
        vault.depositWithPermit(100 * DOLLAR, alice, 1, deadline, v, r, s);
        vm.snapshotGasLastCall("gas", "DemandVault depositWithPermit");
    }

    function test_withdraw() public {
        vm.prank(alice);
        vault.withdraw(100 * DOLLAR, alice, alice, type(uint256).max);
        vm.snapshotGasLastCall("gas", "DemandVault withdraw with maxShares");
    }

    function test_transfer() public {
        vm.prank(alice);
        vault.transfer(bob, 100 * DOLLAR);
        vm.snapshotGasLastCall("gas", "DemandVault transfer");
    }

    function test_report() public {
        fund(reporter, 10_000);
        uint64 asOf = time();
        vm.prank(reporter);
        vault.report(10_000, asOf, "evidence");
        vm.snapshotGasLastCall("gas", "DemandVault report");
    }

    function test_bind() public {
        bytes memory signed = signature(CAROL_KEY, 0xc3);
        vm.prank(attester);
        identities.bind(carol, 0xc3, START + 3650 days, 250, 1, MESSAGE, signed);
        vm.snapshotGasLastCall("gas", "IdentityRegistry bind");
    }

    /// @dev The attester bound the new wallet by the same text, as the server does.
    function test_switch() public {
        bytes memory signed = switchSignature(FRESH_KEY, alice, ALICE);
        bytes memory message = bytes.concat(BEFORE, identities.switchLine(alice), AFTERWARDS);
        vm.prank(attester);
        identities.bind(fresh, ALICE, START + 3650 days, 250, 1, message, signed);
        vm.prank(alice);
        identities.switchWallet(fresh, BEFORE, AFTERWARDS, signed);
        vm.snapshotGasLastCall("gas", "IdentityRegistry switchWallet");
    }

    function test_propose_recovery() public {
        bindWallet(SPARE_KEY, ALICE);
        bytes memory signed = recoverySignature(SPARE_KEY, alice, ALICE);
        vm.prank(attester);
        identities.proposeRecovery(alice, spare, BEFORE, AFTERWARDS, signed);
        vm.snapshotGasLastCall("gas", "IdentityRegistry proposeRecovery");
    }

    function test_veto_recovery() public {
        bindWallet(SPARE_KEY, ALICE);
        propose(alice, SPARE_KEY);
        vm.prank(alice);
        identities.vetoRecovery();
        vm.snapshotGasLastCall("gas", "IdentityRegistry vetoRecovery");
    }

    function test_execute_recovery() public {
        proposeAndWait(alice);
        identities.executeRecovery(alice);
        vm.snapshotGasLastCall("gas", "IdentityRegistry executeRecovery");
    }

    function test_request() public {
        vm.prank(alice);
        queue.requestRedeem(100e12, alice, alice);
        vm.snapshotGasLastCall("gas", "RedemptionQueue requestRedeem into an empty queue");
        vm.prank(bob);
        queue.requestRedeem(100e12, bob, bob);
        vm.snapshotGasLastCall("gas", "RedemptionQueue requestRedeem");
        bindWallet(SPARE_KEY, 0xc3);
        depositFor(spare, 1_000 * DOLLAR);
        skip(1 days);
        request(spare, 1e12);
        vm.snapshotGasLastCall("gas", "RedemptionQueue requestRedeem, first of a day");
    }

    function test_process_and_claim() public {
        request(alice, 100e12);
        reportGain(0);
        skip(VESTING);
        queue.process();
        vm.snapshotGasLastCall("gas", "RedemptionQueue process into an empty purse");
        request(bob, 100e12);
        request(alice, 100e12);
        skip(1);
        reportGain(0);
        queue.process();
        vm.snapshotGasLastCall("gas", "RedemptionQueue process");
        vm.prank(bob);
        queue.claim(bob, bob);
        vm.snapshotGasLastCall("gas", "RedemptionQueue claim");
    }

    function test_money_at_work() public {
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        vm.prank(treasurer);
        vault.deploy(100 * DOLLAR);
        vm.snapshotGasLastCall("gas", "DemandVault deploy");
        vm.prank(custodian);
        dollar.approve(address(vault), 100 * DOLLAR);
        vm.prank(custodian);
        vault.repay(100 * DOLLAR);
        vm.snapshotGasLastCall("gas", "DemandVault repay");
    }
}
