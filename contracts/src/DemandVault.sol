// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {ProductRegistry} from "./ProductRegistry.sol";
import {IRenderer} from "./interfaces/IRenderer.sol";
import {VaultReports} from "./vault/VaultReports.sol";
import {VaultStorage} from "./vault/VaultStorage.sol";

/// @title DemandVault: a demand deposit as a strict ERC-4626 share
///
/// @notice Depositors hold shares; income raises what a share is worth. Share price = (totalAssets + 1) / (supply + 1e6).
///
/// Accounting
/// - Nothing is priced from `balanceOf`. `held` counts the assets that came in by deposit and report less those that left
///   by withdrawal and were lost, wherever they are; `deployed` of them are with the custodian, the rest (`idle`) is here.
///   What the queue's claims are owed is `setAside`, here too and no part of `held`. What lies here beyond `idle` and
///   `setAside`, donations and fees, belongs to the treasury (`skim`) and moves no price.
/// - A reported gain is streamed: totalAssets() = held − ⌈streaming · (end − now) / (end − start)⌉, so that buying just
///   before a report and leaving just after earns nothing. A stream runs over the vesting time, or over the time the
///   report covers where that is longer (7 days at most), and never ends before the one it continues.
/// - A reported loss is taken at once, first from what is not yet streamed. Only deployed money can be lost. One that
///   makes more than 1 % of the assets, together with those before it less than 7 days apart, is reviewed for a day:
///   deposits, instant exits, processing and reports wait, and the confirmer may confirm it or take it back. For 7 days
///   after a review the next such loss is refused unless the confirmer lets it be reviewed. The confirmer may restore
///   losses that stand, as far as there are any: what they took is streamed back.
/// - The fee is taken in cash from a gain, only as far as the gain lifts the price it streams towards above the highest
///   such price before (`mark`). No shares are made for it, so it dilutes nobody and no price falls by it.
///
/// Rounding: always for the pool. deposit and redeem floor, mint and withdraw ceil, unstreamed gain ceil, fee floor,
/// mark ceil, buffer and what the queue is owed ceil, shares the queue gives for all idle money ceil.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - reporter: `report`. Bounded: a gain is paid in, in cash, and capped by maxRate × time × assets; a loss by what is
///   deployed, and one that lowers the price closes deposits for a day, so that nobody buys into a false one.
///   `renewEvidence`: at most 400 days ahead, for the hash of the new document.
/// - confirmer: `takeBackLoss`, while a loss is reviewed, `confirmLoss` and `restore`, at most the losses that stand.
/// - treasurer: `deploy`, to the one custodian and never below the buffer plus what the queue is owed.
/// - guardian: `pause`. Stops deposits only, lapses after 7 days, and cannot be called again for another 7.
/// - owner: `setCap`, `setMinDeposit`, `unpause`, `setQueue` (once), `setCustodian`, `setTreasury`, `setEvidence`.
/// - anyone: `repay`, `skim`, `recover`, `syncStatus`.
///
/// Assumptions
/// - The asset is a plain ERC-20. One that takes a fee on transfer is refused at deposit; one that rebases downwards
///   would leave the vault short and must not be used.
/// - The two registries and the queue are trusted; the registries are immutable here, the queue is set once, before the first deposit.
/// - The custodian may lose what is deployed; the reporter then says so.
///
/// Liveness
/// - No role can stop a redemption. A record that ran out or was revoked may still redeem to its own wallet; only a
///   frozen record waits. Pause, closed product, full cap, lapsed evidence and old report close deposits, never the
///   way out.
/// - Instant exits reach as far as the idle money that the queue is not waiting for, and close while a loss is reviewed
///   and when the last report is too old: then, as beyond the idle money, the queue is the way out.
/// - A report first pays what is payable in the queue at the price before it.
///
/// Parts, each extending the one before: `VaultStorage` (state), `VaultBooks` (accounting and streams), `VaultLimits` (limits,
/// pause, evidence, settings), `VaultExchange` (deposits, instant exits, the queue's side, the gate), `VaultReports` (reports,
/// fee, review and restoring of losses), and this contract (creation, money at work).
contract DemandVault is VaultReports {
    using Math for uint256;

    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        address accessManager,
        Parameters memory parameters
    )
        ERC20(name_, symbol_)
        ERC4626(asset_)
        ERC20Permit(name_)
        AccessManaged(accessManager)
        VaultStorage(asset_, identityRegistry_, productRegistry_, parameters)
    {
        uint32 time = _now();
        _terms.asOf = time;
        (_book.streamStart, _book.streamEnd) = (time, uint32(time + vestingTime));
        _desk.mark = _MARK / _VIRTUAL_SHARES;
        emit VaultCreated(
            address(asset_),
            address(identityRegistry_),
            address(productRegistry_),
            parameters.vestingTime,
            parameters.maxRate,
            parameters.maxReportAge,
            time
        );
        if (parameters.evidenceUntil != 0) _setEvidence(0, parameters.evidenceUntil);
        _setCap(parameters.cap);
        _setMinDeposit(parameters.minDeposit);
    }

    // ── Money at work ───────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Sends `assets` to the custodian, at most `maxDeploy()`.
    function deploy(uint256 assets) external restricted nonReentrant {
        _checkAmount(assets);
        uint256 most = maxDeploy();
        if (assets > most) revert ExceedsDeployable(assets, most);
        _desk.deployed += uint96(assets);
        emit Deployed(_desk.custodian, assets);
        _send(_desk.custodian, assets);
    }

    /// @notice Brings deployed money back, from the caller's allowance. Anyone may: it only makes the vault liquid.
    function repay(uint256 assets) external nonReentrant {
        _checkAmount(assets);
        if (assets > _desk.deployed) revert ExceedsDeployed(assets, _desk.deployed);
        _desk.deployed -= uint96(assets);
        emit Repaid(_msgSender(), assets);
        _pull(_msgSender(), assets);
    }

    /// @notice Most that may be deployed now: what is here beyond the buffer and what the queue is owed once all is
    /// streamed; 0 without a custodian and while a loss is reviewed. Never reverts.
    function maxDeploy() public view returns (uint256) {
        if (_desk.custodian == address(0) || _underReview()) return 0;
        uint256 held = _book.held;
        uint256 owed = balanceOf(_desk.queue).mulDiv(held + 1, totalSupply() + _VIRTUAL_SHARES, Math.Rounding.Ceil);
        return (held - _desk.deployed).saturatingSub(owed + held.mulDiv(_desk.buffer, _WAD, Math.Rounding.Ceil));
    }

    /// @notice Sends what lies here beyond the pool's own money, fees and donations, to the treasury.
    function skim() external nonReentrant returns (uint256 assets) {
        assets = _balance().saturatingSub(_book.held - _desk.deployed + setAside);
        if (assets == 0 || _desk.treasury == address(0)) revert ZeroAmount();
        emit Skimmed(_desk.treasury, assets);
        _send(_desk.treasury, assets);
    }

    /// @notice The metadata of the product (ERC-7572) as a data URI of JSON, made by the renderer.
    function contractURI() external view returns (string memory) {
        address renderer = address(_renderer);
        bytes4 selector = IRenderer.contractURI.selector;
        // The answer goes on as it comes: copying the text through memory would cost 200 bytes of code.
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, address())
            if iszero(staticcall(gas(), renderer, 0, 36, 0, 0)) { revert(0, 0) }
            let free := mload(0x40)
            returndatacopy(free, 0, returndatasize())
            return(free, returndatasize())
        }
    }
}
