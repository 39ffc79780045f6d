// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Receipts} from "./Receipts.sol";
import {TermSettings} from "./TermSettings.sol";

/// @title TermReceipts: the ERC-721 receipts of a time deposit, from opening to burning
///
/// @dev What a receipt owes enters the accounts in `_issue` and leaves them in `_finish`, or in `_reduce` for a part.
abstract contract TermReceipts is TermSettings {
    bytes4 private constant _ERC4906 = 0x49064906;

    // ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice Opens a deposit for the caller, who must be verified.
    /// @param principal taken from the caller's allowance, in the asset's smallest unit
    /// @param latestMaturity reverts with `MaturityTooLate` when the deposit would mature later (Unix time, UTC)
    /// @return id of the receipt
    function open(uint256 termId, uint256 principal, uint256 latestMaturity)
        external
        nonReentrant
        returns (uint256 id)
    {
        return _open(termId, principal, latestMaturity);
    }

    /// @notice As `open`, after an ERC-2612 permit of the asset for this contract.
    function openWithPermit(
        uint256 termId,
        uint256 principal,
        uint256 latestMaturity,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 id) {
        // Anyone may have sent the permit first, which gives the same allowance.
        try IERC20Permit(asset).permit(msg.sender, address(this), principal, deadline, v, r, s) {}
        catch {
            if (IERC20(asset).allowance(msg.sender, address(this)) < principal) revert PermitRefused();
        }
        return _open(termId, principal, latestMaturity);
    }

    function _open(uint256 termId, uint256 principal, uint256 latestMaturity) private returns (uint256) {
        Books memory books_ = _pull(principal);
        (uint256 maturity, uint256 interest) = quote(termId, principal);
        if (maturity > latestMaturity) revert MaturityTooLate(maturity, latestMaturity);
        return _issue(msg.sender, termId, principal, books_, maturity, interest);
    }

    /// @dev A new receipt over `principal`, which is among the assets already and owed to nobody yet.
    function _issue(
        address owner,
        uint256 termId,
        uint256 principal,
        Books memory books_,
        uint256 maturity,
        uint256 interest
    ) internal returns (uint256 id) {
        _checkNotPaused();
        uint256 until = evidenceUntil;
        if (until != 0 && block.timestamp >= until) revert EvidenceLapsed(uint64(until));
        if (!identityRegistry.canReceive(owner)) revert ERC7943CannotReceive(owner);
        if (!productRegistry.isOpen(address(this))) revert ProductNotOpen();
        if (principal < _minDeposit) revert BelowMinimumDeposit(principal, _minDeposit);
        if (interest == 0) revert EarnsNothing(principal);
        Term storage term = _terms[termId];
        if (!term.open) revert TermNotOpen(termId);
        uint256 room = Math.min(
            Math.saturatingSub(_cap, books_.liabilities - books_.reserved), Math.saturatingSub(term.cap, term.principal)
        );
        if (principal > room) revert CapExceeded(principal, room);
        // Within the cap, which fits.
        term.principal += uint128(principal);

        // Interest is promised out of what is owed to nobody, and in cash.
        books_.liabilities += principal;
        room = Math.min(_free(books_), books_.cash - books_.reserved);
        if (interest > room) revert ReserveExhausted(interest, room);
        books_.liabilities += interest;
        books_.reserved += interest;
        _save(books_);

        id = ++_lastId;
        PackedDeposit storage packed = _deposits[id];
        // Principal and term were checked, and times fit for 30 000 years.
        (packed.principal, packed.termId) = (uint96(principal), uint16(termId));
        (packed.openedAt, packed.maturity) = (uint40(block.timestamp), uint40(maturity));
        packed.status = Receipts.ACTIVE;
        emit Opened(id, owner, termId, principal, interest, block.timestamp, maturity);
        // To a contract too, without asking it: it wanted the receipt itself, or holds one already.
        ERC721._update(owner, id, address(0));
    }

    // ── Ending ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// @dev A receipt and its owner, when the caller may act for it; `ERC721NonexistentToken` when it is not live.
    function _authorized(uint256 id) internal view returns (address owner, Deposit memory) {
        owner = _ownerOf(id);
        _checkAuthorized(owner, msg.sender, id);
        return (owner, _deposit(id));
    }

    /// @dev Takes a receipt out of the accounts, which it leaves for the caller to save, and burns it.
    function _finish(uint256 id, Deposit memory deposit, uint256 status) internal returns (Books memory books_) {
        _checkNotWindingDown();
        _burn(id, deposit, status);
        return _release(deposit.termId, deposit.principal, _fullInterest(deposit));
    }

    /// @dev Takes a part of an active receipt's principal out of it and out of the accounts, which it leaves for the caller
    /// to save. The rest must be a deposit of its own right.
    function _reduce(uint256 id, address owner, Deposit memory deposit, uint256 principal)
        internal
        returns (Books memory)
    {
        Receipts.check(deposit.status, Receipts.EXITED_EARLY);
        _checkSend(owner);
        uint256 rest = deposit.principal - principal;
        if (rest < _minDeposit) revert BelowMinimumDeposit(rest, _minDeposit);
        uint256 before = _fullInterest(deposit);
        deposit.principal = rest;
        uint256 interest = _fullInterest(deposit);
        if (interest == 0) revert EarnsNothing(rest);
        _deposits[id].principal = uint96(rest);
        // By the difference of both interests: parts rounded down by themselves would leave a unit reserved for nobody.
        return _release(deposit.termId, principal, before - interest);
    }

    function _release(uint256 termId, uint256 principal, uint256 interest) private returns (Books memory books_) {
        books_ = _books();
        books_.liabilities -= principal + interest;
        books_.reserved -= interest;
        _terms[termId].principal -= uint128(principal);
    }

    function _burn(uint256 id, Deposit memory deposit, uint256 status) internal {
        Receipts.check(deposit.status, status);
        _deposits[id].status = uint8(status);
        _checkSend(_ownerOf(id));
        ERC721._update(address(0), id, address(0));
    }

    // ── What can be seen ────────────────────────────────────────────────────────────────────────────────────────────

    /// @notice A receipt, gone ones included; all 0 when there never was one.
    /// @return deposit as it stands now
    /// @return paid drawn by `claim` so far
    function receiptOf(uint256 id) external view returns (Deposit memory deposit, uint256 paid) {
        return (_deposit(id), _paid[id]);
    }

    /// @notice What a live receipt says of itself at this block, drawn too, as a data URI of JSON; made by the renderer
    /// without a server.
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return renderer.tokenURI(address(this), id);
    }

    /// @notice ERC-7572: what the product says of itself, as a data URI of JSON. It never changes.
    function contractURI() external view returns (string memory) {
        return renderer.contractURI(address(this));
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == _ERC4906 || super.supportsInterface(interfaceId);
    }

    // ── Transfers and recovery ──────────────────────────────────────────────────────────────────────────────────────

    /// @notice Moves receipts of a wallet that another one of the same subject has replaced to that one, whatever the
    /// state of either record. For anyone to call.
    function recover(address from, uint256[] calldata ids) external {
        address to = identityRegistry.successorOf(from);
        if (to == address(0)) revert NoSuccessor(from);
        for (uint256 i = 0; i < ids.length; ++i) {
            uint256 id = ids[i];
            _endAutoRoll(id);
            // Past the gate: the registry has decided.
            address owner = ERC721._update(to, id, address(0));
            if (owner != from) revert ERC721IncorrectOwner(from, id, owner);
            emit Recovered(id, from, to);
        }
    }

    /// @dev The gate of transfers. `_issue` and `_burn` have those of the way in and out, and `recover` its own.
    function _update(address to, uint256 id, address auth) internal override returns (address) {
        address from = _ownerOf(id);
        if (!identityRegistry.canTransfer(from, to)) revert ERC7943CannotTransfer(from, to, id);
        _endAutoRoll(id);
        return super._update(to, id, auth);
    }

    function _setAutoRoll(uint256 id, uint256 termId, uint256 what) internal {
        PackedDeposit storage packed = _deposits[id];
        // Both were checked, or are 0.
        (packed.roll, packed.rollTermId) = (uint8(what), uint16(termId));
        emit AutoRollSet(id, termId, what);
        emit MetadataUpdate(id);
    }

    function _endAutoRoll(uint256 id) private {
        if (_deposits[id].roll != 0) _setAutoRoll(id, 0, 0);
    }
}
