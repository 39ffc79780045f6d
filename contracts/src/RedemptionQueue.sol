// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {DemandVault} from "./DemandVault.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {IERC7540Operator, IERC7540Redeem} from "./interfaces/IERC7540Redeem.sol";
import {IReportListener} from "./interfaces/IProduct.sol";
import {QueueLine} from "./queue/QueueLine.sol";

/// @title RedemptionQueue: leaving a demand deposit beyond its idle money, in turn
///
/// @notice ERC-7540 asynchronous redeem over the shares of one vault, an ERC-7575 entry of its own. A request hands its
/// shares to the queue and takes the next place. `process` redeems as many shares from the head as are payable and the
/// vault's idle money pays. The vault sets the money aside, where no loss, pause or later request reaches it, until it is
/// claimed. The queue never holds the asset.
///
/// Order
/// - All requests stand in one line of shares: a place is where its shares begin in it. What is processed is the head of
///   the line, so a place needs no neighbour to be known, a wallet that may not act holds up nobody, and processing costs
///   the same for one request as for ten thousand.
///
/// Price
/// - The first report whose `asOf` is not before a request makes it payable, from the end of that report's stream on, a
///   moment that no later report moves. Until then its shares earn and bear losses like all others.
/// - All requests processed together are paid one price, that of the vault at this moment. A report first pays what is
///   payable at the price before it, so as far as the money is there no price counts a report made after its requests
///   were payable. What waits for money goes on earning and bearing losses.
/// - Nobody gains by the order of calls: `process` pays the head of the line, whoever calls it.
/// - There is no cancelling: who could take a request back after the report would hold a free option on it.
///
/// What a report covers: all that was requested before the day (UTC) of `asOf`, and all there is when `asOf` is the second
/// of the report itself. What was requested later on the day waits for the next report, whoever requests what.
///
/// Rounding: a batch is paid rounded down; inside it the payouts are the differences of one rising function, so that full
/// claims add up to exactly what was set aside and a request is within a unit a batch of its part. A part of a claim rounds
/// down, what is left of it pays the rest.
///
/// Roles: none. A wallet acts for itself or through an operator it named; `process` and `recover` are for anyone.
///
/// Assumptions
/// - The vault is trusted: it names this queue once, asks it before each report and informs it after.
///
/// Liveness
/// - Claims ask nothing but the record of the wallet itself: no pause, no closed product, no old report stops them. An
///   exit-only wallet claims to itself; a frozen one waits, its money set aside; a retired one is recovered.
/// - Should reports stay away, all requests can be processed without one 30 days after the last became too old.
contract RedemptionQueue is QueueLine, IERC7540Operator, IERC7540Redeem, IReportListener, IERC165, ReentrancyGuardTransient {
    using Math for uint256;
    using SafeCast for uint256;

    /// @dev A stretch of the line, or, with `batch` = _SETTLED, what is left of a claim: then `start` is its assets.
    struct Place {
        uint128 start;
        uint112 shares;
        /// A number of batches that the stretch lies behind, modulo _SETTLED.
        uint8 batch;
        /// In a wallet's first place: how many more it has.
        uint8 others;
    }

    /// @dev How many places a wallet can hold by requests.
    uint256 private constant _MOST_PLACES = 16;
    uint256 private constant _ABANDONED_AFTER = 30 days;
    DemandVault public immutable vault;
    IdentityRegistry public immutable identityRegistry;
    address public immutable asset;
    uint256 private immutable _maxReportAge;

    mapping(address controller => mapping(uint256 index => Place)) private _places;
    /// @inheritdoc IERC7540Operator
    mapping(address controller => mapping(address operator => bool)) public isOperator;

    event QueueCreated(address indexed vault, address asset);
    /// @dev ERC-4626's event, which ERC-7540 keeps for claims; the shares were burnt when they were processed.
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event PlacesRecovered(address indexed from, address indexed to, uint256 places);

    error ZeroAmount();
    /// @dev Shares are requested back for whoever owns them; to give them away is a transfer, with its own gate.
    error ControllerIsNotOwner(address controller, address owner);
    error NotOperator(address controller, address caller);
    error TooManyPlaces(uint256 most);
    error NothingToProcess();
    error ExceedsClaimable(address controller, uint256 amount, uint256 claimable);
    error CannotAct(address controller);
    error ExitOnlyToSelf(address controller, address receiver);
    error NoSuccessor(address wallet);
    error NotTheVault(address caller);
    /// @dev The price of a request is not known before it is processed.
    error PriceUnknown();
    /// @dev Deposits go to the vault itself.
    error DepositToTheVault(address vault);

    constructor(DemandVault vault_) {
        vault = vault_;
        identityRegistry = vault_.identityRegistry();
        asset = vault_.asset();
        _maxReportAge = vault_.maxReportAge();
        emit QueueCreated(address(vault_), asset);
    }

    // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Hands `shares` of `owner` in at the end of the line. For the owner, its operator, or who has an allowance
    /// for the shares. There is no way back.
    /// @param controller must be `owner`
    /// @return requestId always 0: the requests of a wallet are one account
    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256 requestId) {
        if (shares == 0) revert ZeroAmount();
        if (controller != owner) revert ControllerIsNotOwner(controller, owner);
        Line memory line = _line;
        Place storage first = _places[owner][0];
        Place storage free = first;
        if (first.shares != 0) {
            uint256 others = first.others + 1;
            if (others >= _MOST_PLACES) revert TooManyPlaces(_MOST_PLACES);
            first.others = uint8(others);
            free = _places[owner][others];
        }
        _set(free, Place(line.requested, shares.toUint112(), _hint(line.batches), 0));
        _lengthen(line, shares);
        vault.lineUp(msg.sender == owner || isOperator[owner][msg.sender] ? owner : msg.sender, owner, shares);
        emit RedeemRequest(owner, owner, 0, msg.sender, shares);
        return 0;
    }

    /// @inheritdoc IReportListener
    function reported(uint64 asOf, uint64 payableFrom_, uint256 shares, uint256 assets) external {
        if (msg.sender != address(vault)) revert NotTheVault(msg.sender);
        Head memory head = _head;
        Batch memory last = _batches[head.batches];
        _pass(head);
        if (shares > 0) {
            _advance(head, last.shares);
            last = _record(head, last, shares, assets);
        }
        Line memory line = _line;
        _cover(head, last.shares, _requestedBy(asOf, line), payableFrom_);
        // Moments that have passed are written down, or every report would read them again while money is short.
        _setHead(head);
        line.batches = head.batches;
        _setLine(line);
    }

    /// @inheritdoc IReportListener
    function payableShares() external view returns (uint256) {
        Head memory head = _head;
        return _advance(head, _batches[head.batches].shares);
    }

    /// @notice Redeems from the head of the line what is payable and the vault's idle money pays. For anyone to call.
    function process() external nonReentrant returns (uint256 shares, uint256 assets) {
        Head memory head = _head;
        Batch memory last = _batches[head.batches];
        uint256 most = _advance(head, last.shares);
        if (most > 0) (shares, assets) = vault.serveQueue(most);
        if (shares == 0) revert NothingToProcess();
        _record(head, last, shares, assets);
    }

    // ── Claims ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Pays out `shares` of what of `controller` is processed, the oldest price and the newest mixed.
    function redeem(uint256 shares, address receiver, address controller) external returns (uint256 assets) {
        (assets,) = _claim(controller, receiver, shares, type(uint256).max);
    }

    /// @notice Pays out `assets` of what of `controller` is processed.
    function withdraw(uint256 assets, address receiver, address controller) external returns (uint256 shares) {
        (, shares) = _claim(controller, receiver, type(uint256).max, assets);
    }

    /// @notice Pays out all of `controller` that is processed.
    function claim(address receiver, address controller) external returns (uint256 assets) {
        (assets,) = _claim(controller, receiver, type(uint256).max, type(uint256).max);
    }

    /// @notice Moves all places of a retired wallet to the one that stands in its place. Anyone may.
    function recover(address from) external nonReentrant returns (uint256 places) {
        address to = identityRegistry.successorOf(from);
        if (to == address(0)) revert NoSuccessor(from);
        places = _count(from);
        if (places == 0) revert ZeroAmount();
        uint256 had = _count(to);
        for (uint256 i = 0; i < places; ++i) {
            Place memory place = _places[from][i];
            place.others = 0;
            _set(_places[to][had + i], place);
            delete _places[from][i];
        }
        _places[to][0].others = (had + places - 1).toUint8();
        emit PlacesRecovered(from, to, places);
    }

    /// @inheritdoc IERC7540Operator
    function setOperator(address operator, bool approved) external returns (bool) {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
        return true;
    }

    // ── What is known ───────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice The line in shares, all over all time: handed in; of these payable by now; processed; and the assets these
    /// were redeemed for.
    function totals() external view returns (uint256 requested, uint256 due, uint256 processed, uint256 paid) {
        Head memory head = _head;
        Batch memory last = _batches[head.batches];
        return (_line.requested, last.shares + _advance(head, last.shares), last.shares, last.assets);
    }

    /// @notice From when on (Unix time, UTC) the last of what `controller` has in the line is payable; 0 while a part of it
    /// waits for a report, and when it has none there.
    function payableFrom(address controller) external view returns (uint64) {
        Head memory head = _head;
        uint256 processed = _batches[head.batches].shares;
        uint256 count = _count(controller);
        uint256 end;
        for (uint256 i = 0; i < count; ++i) {
            Place memory place = _places[controller][i];
            if (place.batch != _SETTLED) end = end.max(uint256(place.start) + place.shares);
        }
        if (end <= processed) return 0;
        if (head.shares >= end) return head.from;
        uint256 index = _firstMoment(head, end - 1, 0);
        return index == head.count ? 0 : _payable[index].time;
    }

    /// @notice Shares that stand in the line before the first of `controller` that is not processed; 0 when it has none.
    function sharesAhead(address controller) external view returns (uint256 shares) {
        uint256 processed = _batches[_head.batches].shares;
        uint256 count = _count(controller);
        shares = type(uint256).max;
        for (uint256 i = 0; i < count; ++i) {
            Place memory place = _places[controller][i];
            if (place.batch == _SETTLED || uint256(place.start) + place.shares <= processed) continue;
            shares = shares.min(uint256(place.start).saturatingSub(processed));
        }
        if (shares == type(uint256).max) shares = 0;
    }

    /// @inheritdoc IERC7540Redeem
    function pendingRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares) {
        if (requestId == 0) (shares,,,) = _account(controller);
    }

    /// @inheritdoc IERC7540Redeem
    function claimableRedeemRequest(uint256 requestId, address controller) external view returns (uint256 shares) {
        if (requestId == 0) (, shares,,) = _account(controller);
    }

    /// @notice Shares `controller` can claim now. Never reverts.
    function maxRedeem(address controller) external view returns (uint256 shares) {
        if (identityRegistry.canSend(controller)) (, shares,,) = _account(controller);
    }

    /// @notice Assets `controller` can claim now. Never reverts.
    function maxWithdraw(address controller) external view returns (uint256 assets) {
        if (identityRegistry.canSend(controller)) (,, assets,) = _account(controller);
    }

    // ── ERC-7575: an entry that takes no deposits and whose redemptions are asynchronous ────────────────────────────

    /// @inheritdoc IReportListener
    function share() external view returns (address) {
        return address(vault);
    }

    function totalAssets() external view returns (uint256) {
        return vault.totalAssets();
    }

    function convertToShares(uint256 assets) external view returns (uint256) {
        return vault.convertToShares(assets);
    }

    function convertToAssets(uint256 shares) external view returns (uint256) {
        return vault.convertToAssets(shares);
    }

    function maxDeposit(address) external pure returns (uint256) {
        return 0;
    }

    function maxMint(address) external pure returns (uint256) {
        return 0;
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return vault.previewDeposit(assets);
    }

    function previewMint(uint256 shares) external view returns (uint256) {
        return vault.previewMint(shares);
    }

    function deposit(uint256, address) external view returns (uint256) {
        revert DepositToTheVault(address(vault));
    }

    function mint(uint256, address) external view returns (uint256) {
        revert DepositToTheVault(address(vault));
    }

    /// @dev ERC-7540 wants these to revert.
    function previewRedeem(uint256) external pure returns (uint256) {
        revert PriceUnknown();
    }

    function previewWithdraw(uint256) external pure returns (uint256) {
        revert PriceUnknown();
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IERC165).interfaceId || id == type(IERC7540Operator).interfaceId
            || id == type(IERC7540Redeem).interfaceId || id == 0x2f0a18c5;
    }

    // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev Pays at most `mostShares` and `mostAssets` of what is processed; one of them may be the largest number, both
    /// mean all.
    function _claim(address controller, address receiver, uint256 mostShares, uint256 mostAssets)
        private
        nonReentrant
        returns (uint256 assets, uint256 shares)
    {
        if (msg.sender != controller && !isOperator[controller][msg.sender]) revert NotOperator(controller, msg.sender);
        IdentityRegistry.Status status = identityRegistry.statusOf(controller);
        if (status != IdentityRegistry.Status.Verified) {
            if (status != IdentityRegistry.Status.ExitOnly) revert CannotAct(controller);
            if (receiver != controller) revert ExitOnlyToSelf(controller, receiver);
        }
        Place[] memory pending;
        uint256 claimable;
        (, claimable, assets, pending) = _account(controller);
        shares = claimable;
        uint256 whole = assets;
        if (mostShares != type(uint256).max) {
            if (mostShares > shares) revert ExceedsClaimable(controller, mostShares, shares);
            shares = mostShares;
            if (shares < claimable) assets = whole.mulDiv(shares, claimable);
        } else if (mostAssets != type(uint256).max) {
            if (mostAssets > assets) revert ExceedsClaimable(controller, mostAssets, assets);
            assets = mostAssets;
            // Less than the whole leaves at least one share to hold the rest.
            if (assets < whole) shares = claimable.mulDiv(assets, whole);
        }
        if (shares == 0 && assets == 0) revert ZeroAmount();
        _keep(controller, pending, claimable - shares, whole - assets);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
        if (assets > 0) vault.payClaim(receiver, assets);
    }

    /// @dev What `controller` has: shares not yet processed, shares processed and not claimed, the assets these are paid,
    /// and the stretches that are not yet processed.
    function _account(address controller)
        private
        view
        returns (uint256 waiting, uint256 shares, uint256 assets, Place[] memory pending)
    {
        uint256 last = _head.batches;
        uint256 processed = _batches[last].shares;
        uint256 count = _count(controller);
        pending = new Place[](count);
        uint256 kept;
        for (uint256 i = 0; i < count; ++i) {
            Place memory place = _places[controller][i];
            if (place.batch == _SETTLED) {
                shares += place.shares;
                assets += place.start;
                continue;
            }
            uint256 start = place.start;
            uint256 end = start + place.shares;
            if (processed > start) {
                uint256 until = end.min(processed);
                (uint256 before, uint256 batch) = _paidFor(start, _behind(place.batch, start, last), last);
                (uint256 upTo,) = _paidFor(until, batch, last);
                shares += until - start;
                assets += upTo - before;
                if (until == end) continue;
                place.start = uint128(until);
                place.shares = uint112(end - until);
                place.batch = _hint(last);
            }
            waiting += place.shares;
            pending[kept++] = place;
        }
        assembly ("memory-safe") {
            mstore(pending, kept)
        }
    }

    /// @dev Writes the places of `controller` anew: what is left of a claim first, if anything, then what is pending.
    function _keep(address controller, Place[] memory pending, uint256 shares, uint256 assets) private {
        uint256 had = _count(controller);
        uint256 count;
        uint256 others = pending.length + (shares > 0 ? 1 : 0);
        others = others > 0 ? others - 1 : 0;
        if (shares > 0) {
            Place memory rest = Place(assets.toUint128(), shares.toUint112(), _SETTLED, uint8(others));
            _set(_places[controller][count++], rest);
        }
        for (uint256 i = 0; i < pending.length; ++i) {
            pending[i].others = count == 0 ? uint8(others) : 0;
            _set(_places[controller][count++], pending[i]);
        }
        for (; count < had; ++count) {
            delete _places[controller][count];
        }
    }

    function _count(address controller) private view returns (uint256) {
        Place storage first = _places[controller][0];
        return first.shares == 0 ? 0 : uint256(first.others) + 1;
    }

    /// @inheritdoc QueueLine
    function _abandoned() internal view override returns (bool) {
        return block.timestamp > uint256(vault.lastReportAsOf()) + _maxReportAge + _ABANDONED_AFTER;
    }

    /// @dev One write of a whole slot; the compiler would write a member at a time.
    function _set(Place storage slot, Place memory place) private {
        uint256 word = uint256(place.start) | uint256(place.shares) << 128 | uint256(place.batch) << 240
            | uint256(place.others) << 248;
        assembly ("memory-safe") {
            sstore(slot.slot, word)
        }
    }

}
