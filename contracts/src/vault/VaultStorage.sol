// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IdentityRegistry} from "../IdentityRegistry.sol";
import {ProductRegistry} from "../ProductRegistry.sol";
import {IRenderer} from "../interfaces/IRenderer.sol";
import {IDemandVault} from "./IDemandVault.sol";

/// @dev State of a demand deposit, and what is fixed at its creation. VaultBooks, VaultLimits, VaultExchange, VaultReports
/// and DemandVault extend it in this order; the header of DemandVault describes the whole.
abstract contract VaultStorage is ERC4626, ERC20Permit, AccessManaged, ReentrancyGuardTransient, IDemandVault {
    /// @param cap most assets the vault takes in, in the asset's smallest unit, below 2^96
    /// @param minDeposit smallest deposit, in the asset's smallest unit, below 2^80
    /// @param vestingTime seconds over which a gain is streamed, 1 to 365 days
    /// @param maxRate most gain a year as a fraction of assets, 1e18 = 100 %, at most 10e18
    /// @param maxReportAge seconds after a report's `asOf` at which deposits and instant exits close, 1 to 45 days
    /// @param evidenceUntil until when (Unix time, UTC) the product's evidence stands, at most 400 days ahead; 0 for a
    /// product without devices, whose reports need not name evidence
    struct Parameters {
        uint256 cap;
        uint256 minDeposit;
        uint64 vestingTime;
        uint256 maxRate;
        uint64 maxReportAge;
        uint64 evidenceUntil;
        IRenderer renderer;
    }

    /// @dev The price, in one slot.
    struct Book {
        /// Assets that belong to the pool, gains not yet streamed and deployed money included. 2^96 units are 7e10
        /// whole tokens of 18 decimals.
        uint96 held;
        /// The gain being streamed from `streamStart` to `streamEnd`, whole.
        uint88 streaming;
        uint32 streamStart;
        uint32 streamEnd;
    }

    /// @dev What a deposit has to fit, in one slot.
    struct Limits {
        uint96 cap;
        uint80 minDeposit;
        /// Deposits are open from the end of pause and loss, as long as report and evidence are fresh; never in a product
        /// that is closed or has no queue. Follows from what is stored elsewhere, see `_refresh`.
        uint32 openFrom;
        uint32 openUntil;
    }

    /// @dev Of what the limits follow from, all that is not in the desk.
    struct Terms {
        /// The last report's.
        uint32 asOf;
        uint32 pausedUntil;
        bool open;
        /// Losses less than 7 days apart that were not reviewed, together, and until when the next one counts with them.
        uint96 recentLoss;
        uint32 recentUntil;
    }

    /// @notice Money at work and what goes with it.
    /// @param deployed assets with the custodian, smallest units
    /// @param queue the redemption queue, 0 until it is set, and no deposits before that
    /// @param custodian where deployed money goes, 0 while none may be deployed
    /// @param buffer share of the assets that is never deployed, 1e18 = 100 %
    /// @param lossUntil until when (Unix time, UTC) a loss keeps deposits closed
    /// @param treasury where fees and donations go
    /// @param fee performance fee on gains above the mark, 1e18 = 100 %, at most 30 %
    /// @param evidenceUntil until when (Unix time, UTC) the product's evidence stands; 0 for a product without devices
    /// @param mark the high-water mark: the highest price a report's stream ever led to, assets a share unit times 1e27,
    /// rounded up
    struct Desk {
        uint96 deployed;
        address queue;
        address custodian;
        uint64 buffer;
        uint32 lossUntil;
        address treasury;
        uint64 fee;
        uint32 evidenceUntil;
        uint256 mark;
    }

    /// @dev A loss that may be taken back until `until`, how much of it the stream has borne, and until when deposits were
    /// closed before it.
    struct Review {
        uint96 loss;
        uint88 fromStream;
        uint32 until;
        uint32 lossUntil;
    }

    // Constants and settings have few getters: each function a contract has makes every other a little dearer.
    uint64 private constant _LONGEST_REPORT_AGE = 45 days;
    uint256 internal constant _YEAR = 365 days;
    uint256 internal constant _WAD = 1e18;
    uint256 private constant _HIGHEST_RATE = 10e18;
    uint256 internal constant _VIRTUAL_SHARES = 1e6;
    /// @dev Scale of `mark`, which is assets a share unit.
    uint256 internal constant _MARK = 1e27;

    IdentityRegistry public immutable identityRegistry;
    ProductRegistry public immutable productRegistry;
    uint64 public immutable vestingTime;
    uint64 public immutable maxReportAge;
    uint256 public immutable maxRate;
    IRenderer internal immutable _renderer;

    Book internal _book;
    Limits internal _limits;
    Terms internal _terms;
    Desk internal _desk;
    Review internal _review;
    /// @notice Assets that were processed in the queue and not yet claimed. They are here, and belong to the claims alone.
    uint256 public setAside;
    /// @notice Losses that were reported and neither taken back nor restored.
    uint256 public standingLoss;

    constructor(
        IERC20 asset_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        Parameters memory parameters
    ) {
        if (
            address(asset_).code.length == 0 || address(identityRegistry_).code.length == 0
                || address(productRegistry_).code.length == 0 || address(parameters.renderer).code.length == 0
                || parameters.vestingTime == 0
                || parameters.vestingTime > _YEAR || parameters.maxReportAge == 0
                || parameters.maxReportAge > _LONGEST_REPORT_AGE || parameters.maxRate > _HIGHEST_RATE
        ) revert InvalidParameters();
        identityRegistry = identityRegistry_;
        productRegistry = productRegistry_;
        vestingTime = parameters.vestingTime;
        maxReportAge = parameters.maxReportAge;
        maxRate = parameters.maxRate;
        _renderer = parameters.renderer;
    }

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }
}
