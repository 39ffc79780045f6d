// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManager} from "@openzeppelin/contracts/access/manager/AccessManager.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {DemandVault} from "../../src/DemandVault.sol";
import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {RedemptionQueue} from "../../src/RedemptionQueue.sol";
import {TestDollar} from "../../src/local/TestDollar.sol";
import {VaultStorage} from "../../src/vault/VaultStorage.sol";
import {ReceiptRenderer} from "../../src/term/ReceiptRenderer.sol";
import {Test} from "./Test.sol";

/// @dev The whole system, deployed as in production, with one vault and a few verified depositors. The bytecode comes
/// from artefacts, not from this build, so that the same tests run on what ships and on the other pipeline's output:
/// AQUA_ARTEFACTS names the folder; empty means the build at hand, which is how coverage is measured.
abstract contract World is Test {
    uint64 internal constant REPORTER_ROLE = 1;
    uint64 internal constant ATTESTER_ROLE = 2;
    uint64 internal constant GUARDIAN_ROLE = 3;
    uint64 internal constant OWNER_ROLE = 4;
    uint64 internal constant TREASURER_ROLE = 5;
    uint64 internal constant CONFIRMER_ROLE = 6;

    uint256 internal constant DOLLAR = 1e6;
    uint64 internal constant START = 1_800_000_000;
    uint64 internal constant VESTING = 1 days;
    uint64 internal constant REPORT_AGE = 3 days;
    uint256 internal constant MAX_RATE = 0.2e18;
    uint256 internal constant CAP = 100_000_000 * DOLLAR;
    uint256 internal constant MIN_DEPOSIT = DOLLAR;
    bytes internal constant MESSAGE = "aqua.example wants you to sign in with your Ethereum account";

    uint256 internal constant ALICE_KEY = 0xA11CE;
    uint256 internal constant BOB_KEY = 0xB0B;
    uint256 internal constant CAROL_KEY = 0xCA401;

    address internal immutable alice = vm.addr(ALICE_KEY);
    address internal immutable bob = vm.addr(BOB_KEY);
    /// @dev Never bound by `deployWorld`.
    address internal immutable carol = vm.addr(CAROL_KEY);
    address internal immutable reporter = vm.addr(0x4E9047);
    address internal immutable attester = vm.addr(0xA77E57);
    address internal immutable guardian = vm.addr(0x60A4D);
    address internal immutable owner = vm.addr(0x0403E4);
    address internal immutable treasurer = vm.addr(0x74EA5);
    address internal immutable confirmer = vm.addr(0xC0F1);
    address internal immutable custodian = vm.addr(0xC057);
    address internal immutable treasury = vm.addr(0x74EA);

    AccessManager internal manager;
    IdentityRegistry internal identities;
    ProductRegistry internal products;
    TestDollar internal dollar;
    DemandVault internal vault;
    RedemptionQueue internal queue;
    ReceiptRenderer internal renderer;
    uint256 private _nonces;

    function deployWorld() internal {
        vm.warp(START);
        vm.chainId(31337);
        manager = AccessManager(deploy("AccessManager", abi.encode(address(this))));
        identities = IdentityRegistry(deploy("IdentityRegistry", abi.encode(address(manager))));
        products = ProductRegistry(deploy("ProductRegistry", abi.encode(address(manager))));
        dollar = deployAsset();
        renderer = ReceiptRenderer(deploy("ReceiptRenderer", ""));
        grant(OWNER_ROLE, owner);
        grant(GUARDIAN_ROLE, guardian);
        grant(REPORTER_ROLE, reporter);
        grant(ATTESTER_ROLE, attester);
        grant(TREASURER_ROLE, treasurer);
        grant(CONFIRMER_ROLE, confirmer);
        allow(address(identities), IdentityRegistry.bind.selector, ATTESTER_ROLE);
        allow(address(identities), IdentityRegistry.renew.selector, ATTESTER_ROLE);
        allow(address(identities), IdentityRegistry.revoke.selector, ATTESTER_ROLE);
        allow(address(identities), IdentityRegistry.proposeRecovery.selector, ATTESTER_ROLE);
        allow(address(identities), IdentityRegistry.cancelRecovery.selector, ATTESTER_ROLE);
        allow(address(identities), IdentityRegistry.freeze.selector, GUARDIAN_ROLE);
        allow(address(identities), IdentityRegistry.unfreeze.selector, OWNER_ROLE);
        allow(address(products), ProductRegistry.list.selector, OWNER_ROLE);
        allow(address(products), ProductRegistry.open.selector, OWNER_ROLE);
        allow(address(products), ProductRegistry.close.selector, GUARDIAN_ROLE);
        allow(address(products), ProductRegistry.setMetadata.selector, OWNER_ROLE);
        vault = deployVault("solar-irrigation", IERC20(address(dollar)), MIN_DEPOSIT);
        queue = deployQueue(vault);
        bindWallet(ALICE_KEY, 0xa1);
        bindWallet(BOB_KEY, 0xb2);
    }

    function deployAsset() internal virtual returns (TestDollar) {
        return TestDollar(deploy("TestDollar", ""));
    }

    function deployVault(string memory shortId, IERC20 asset, uint256 minDeposit) internal returns (DemandVault made) {
        made = createVault(asset, identities, parameters(minDeposit));
        listVault(shortId, made, asset);
    }

    function listVault(string memory shortId, DemandVault made, IERC20 asset) internal {
        allow(address(made), made.report.selector, REPORTER_ROLE);
        allow(address(made), made.renewEvidence.selector, REPORTER_ROLE);
        allow(address(made), made.setEvidence.selector, OWNER_ROLE);
        allow(address(made), made.confirmLoss.selector, CONFIRMER_ROLE);
        allow(address(made), made.takeBackLoss.selector, CONFIRMER_ROLE);
        allow(address(made), made.restore.selector, CONFIRMER_ROLE);
        allow(address(made), made.pause.selector, GUARDIAN_ROLE);
        allow(address(made), made.unpause.selector, OWNER_ROLE);
        allow(address(made), made.setCap.selector, OWNER_ROLE);
        allow(address(made), made.setMinDeposit.selector, OWNER_ROLE);
        vm.prank(owner);
        products.list(shortId, address(made), ProductRegistry.ProductType.DemandDeposit, address(asset), "meta");
    }

    function deployQueue(DemandVault of_) internal returns (RedemptionQueue made) {
        made = RedemptionQueue(deploy("RedemptionQueue", abi.encode(of_)));
        allow(address(of_), of_.deploy.selector, TREASURER_ROLE);
        allow(address(of_), of_.setQueue.selector, OWNER_ROLE);
        allow(address(of_), of_.setCustodian.selector, OWNER_ROLE);
        allow(address(of_), of_.setTreasury.selector, OWNER_ROLE);
        vm.prank(owner);
        of_.setQueue(address(made));
    }

    function closeProduct(string memory shortId) internal {
        vm.prank(guardian);
        products.close(shortId);
    }

    function openProduct(string memory shortId) internal {
        vm.prank(owner);
        products.open(shortId);
    }

    function createVault(IERC20 asset, IdentityRegistry identities_, DemandVault.Parameters memory p)
        internal
        returns (DemandVault)
    {
        bytes memory arguments = abi.encode(asset, "Aqua Solar", "aqSOL", identities_, products, manager, p);
        return DemandVault(deploy("DemandVault", arguments));
    }

    function creationCode(string memory contract_) internal view returns (bytes memory) {
        string memory folder = vm.envOr("AQUA_ARTEFACTS", "contracts/cache/legacy/out");
        if (bytes(folder).length == 0) return vm.getCode(string.concat(contract_, ".sol:", contract_));
        return vm.getCode(string.concat(folder, "/", contract_, ".sol/", contract_, ".json"));
    }

    function deploy(string memory contract_, bytes memory arguments) internal returns (address made) {
        bytes memory code = bytes.concat(creationCode(contract_), arguments);
        assembly {
            made := create(0, add(code, 32), mload(code))
            if iszero(made) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    function parameters(uint256 minDeposit) internal view returns (DemandVault.Parameters memory) {
        return VaultStorage.Parameters(CAP, minDeposit, VESTING, MAX_RATE, REPORT_AGE, 0, renderer);
    }

    function grant(uint64 role, address account) internal {
        manager.grantRole(role, account, 0);
    }

    function allow(address target, bytes4 selector, uint64 role) internal {
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = selector;
        manager.setTargetFunctionRole(target, selectors, role);
    }

    // ── Identity ────────────────────────────────────────────────────────────────────────────────────────────────────

    function personalSign(uint256 key, bytes memory text) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, MessageHashUtils.toEthSignedMessageHash(text));
        return abi.encodePacked(r, s, v);
    }

    /// @dev `text` with a nonce of its own, since the registry takes no signed text twice.
    function withNonce(bytes memory text) internal returns (bytes memory) {
        return bytes.concat(text, "\nNonce: ", bytes(vm.toString(++_nonces)));
    }

    function signature(uint256 key, uint128 subject) internal view returns (bytes memory) {
        return personalSign(key, bytes.concat(MESSAGE, identities.requestLine(subject)));
    }

    function bindWallet(uint256 key, uint128 subject) internal {
        bytes memory message = withNonce(MESSAGE);
        bytes memory signed = personalSign(key, bytes.concat(message, identities.requestLine(subject)));
        vm.prank(attester);
        identities.bind(vm.addr(key), subject, START + 3650 days, 250, 1, message, signed);
    }

    /// @dev Binds a fresh wallet to the subject of `old` and puts it in that wallet's place.
    function succeed(address old, uint256 newKey) internal returns (address successor) {
        successor = vm.addr(newKey);
        uint128 subject = identities.recordOf(old).subject;
        bindWallet(newKey, subject);
        bytes memory last = identities.requestLine(subject);
        bytes memory signed = personalSign(newKey, bytes.concat(MESSAGE, identities.switchLine(old), last));
        vm.prank(old);
        identities.switchWallet(successor, MESSAGE, "", signed);
    }

    function revoke(address wallet) internal {
        vm.prank(attester);
        identities.revoke(wallet);
    }

    function freeze(address wallet, bool frozen) internal {
        vm.prank(frozen ? guardian : owner);
        if (frozen) identities.freeze(wallet);
        else identities.unfreeze(wallet);
    }

    // ── Money ───────────────────────────────────────────────────────────────────────────────────────────────────────

    function fund(address account, uint256 amount) internal {
        dollar.mint(account, amount);
        vm.prank(account);
        dollar.approve(address(vault), type(uint256).max);
    }

    function depositFor(address account, uint256 assets) internal returns (uint256 shares) {
        fund(account, assets);
        vm.prank(account);
        return vault.deposit(assets, account);
    }

    function reportGain(uint256 gain) internal {
        fund(reporter, gain);
        vm.prank(reporter);
        vault.report(int256(gain), time(), "evidence");
    }

    /// @dev Lets the next large loss be reviewed however short a time ago the last one was.
    function allowReview() internal {
        (, uint64 until) = vault.reviewedLoss();
        if (until == 0 || time() >= until + 7 days) return;
        vm.prank(confirmer);
        vault.confirmLoss();
    }

    function reportLoss(uint256 loss) internal {
        vm.prank(reporter);
        vault.report(-int256(loss), time(), "evidence");
    }

    /// @dev Puts money to work, a tenth of the assets staying behind.
    function deployMoney(uint256 assets) internal {
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        vm.prank(treasurer);
        vault.deploy(assets);
    }

    function repayMoney(uint256 assets) internal {
        vm.prank(custodian);
        dollar.approve(address(vault), assets);
        vm.prank(custodian);
        vault.repay(assets);
    }

    function setFee(uint64 fee) internal {
        vm.prank(owner);
        vault.setTreasury(treasury, fee);
    }

    // ── The queue ───────────────────────────────────────────────────────────────────────────────────────────────────

    function request(address account, uint256 shares) internal {
        vm.prank(account);
        queue.requestRedeem(shares, account, account);
    }

    function claim(address account) internal returns (uint256 assets) {
        vm.prank(account);
        return queue.claim(account, account);
    }
}
