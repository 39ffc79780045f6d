// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IdentityRegistry} from "./IdentityRegistry.sol";
import {ProductRegistry} from "./ProductRegistry.sol";
import {TermBooks} from "./term/TermBooks.sol";
import {TermPayments} from "./term/TermPayments.sol";

/// @title TermDeposit: time deposits with interest fixed at opening, each an ERC-721 receipt
///
/// @notice One contract a product. A deposit of P under a term pays P and ⌊P · rate · days / 365⌋ at maturity, simple
/// interest, ACT/365 fixed, and nothing more after it. All rates and ratios are fractions with 18 decimals, 1e18 =
/// 100 %.
///
/// Its parts, in contracts/src/term, each on the one before: TermBooks has the storage and the accounts, TermSettings
/// terms, limits, pause and evidence, TermReceipts the receipts from opening to burning, TermWindingDown demands and
/// claims, TermMoney the operator's money and its losses, TermPayments payments, early exits and rolling over.
///
/// Accounting
/// - Nothing is counted from `balanceOf`, so a donation moves nothing and belongs to nobody.
/// - assets = cash + deployed; liabilities = Σ (principal + interest at maturity) of live receipts. As long as the
///   product is not wound down, assets ≥ liabilities: interest is reserved at opening out of what the treasurer has
///   funded (`ReserveExhausted` otherwise), and what is released again or kept as a penalty is free for new deposits.
/// - The reserved interest is always in cash: neither `deploy` nor the payment of a principal takes any of it.
///
/// Rounding: always for the product. Interest floor, penalty ceil, buffer ceil, shares of a shortfall floor.
///
/// Shortfall
/// - A loss that the free interest bears changes nothing for depositors. One that it does not bear is reviewed for a day:
///   openings, rollovers, early exits, `deploy` and `withdrawInterest` wait, payments at maturity do not, and the confirmer
///   may confirm it or take it back. If it stands, or a payment that is due, was demanded and is missed for 3 days, the
///   product is wound down, for good.
/// - From then on nobody is paid in order of arrival. Each receipt, matured or not, has the same fraction of its
///   principal of all the cash there was at that moment and of all that comes in later, and once this covers all
///   principals, the same fraction of its interest. It draws this by `claim` as often as it likes; what it has not
///   drawn stays its own. So no rate that was promised takes from a principal, and neither running nor waiting changes what
///   anybody gets, and if all money comes back, everybody is paid in full. Interest not yet earned is not paid before
///   its time, and no penalty is charged any more.
/// - Before that moment whoever is paid is paid in full and keeps it. The times of payments at maturity are fixed at
///   opening, so they are no run. Early exits, the only ones whose time is a choice, leave the reserved interest and
///   half the buffer untouched and stop while the guardian's pause runs.
/// - Anyone may close a receipt whose payment was demanded, its owner is paid: who brings the money, by `repayAndClose`,
///   pays it out in the same call, so that nobody can use it for anything else.
///
/// Roles (OpenZeppelin AccessManager decides who holds them)
/// - treasurer: `fundInterest`, `withdrawInterest`, `deploy`. Bounded: money goes to the immutable custodian only,
///   never into the buffer or the reserved interest, and only interest promised to nobody can be withdrawn.
/// - reporter: `bookLoss`. Bounded by what is deployed; at worst it holds openings and early exits for a day, and for 7 days
///   after a loss that was taken back it needs the confirmer for another one. `renewEvidence`: at most 400 days ahead, for the hash of the new
///   document.
/// - confirmer: `takeBackLoss`, while a loss is reviewed, and `confirmLoss`.
/// - guardian: `pause`. Stops openings, rollovers and early exits; lapses after 7 days, and the next one cannot begin
///   before 7 days after that. Never covers a payment at maturity, a claim, a transfer or a recovery.
/// - owner: `addTerm`, `setTerm`, `setLimits`, `unpause`, `setEvidence`. No rate, penalty or length of a term ever
///   changes.
/// - anyone: `settleLoss`, `repay`, `repayAndClose`, `autoRoll`, `demand`, `recover`, each only where its conditions hold.
///
/// Assumptions
/// - The asset is a plain ERC-20. One that takes a fee on transfer is refused on the way in; one that rebases downwards
///   would leave the product short and must not be used.
/// - The two registries are trusted and immutable here. The renderer is only read, for the metadata. The custodian is trusted with what is deployed.
///
/// Liveness
/// - A matured receipt can be closed for ever, by a wallet whose record ran out too, as long as there is cash; without
///   cash it is demanded, and after 3 days there is either the payment or its share of a winding down. Only a frozen
///   record waits.
/// - A closed product, a pause and lapsed evidence stop openings, never a payment at maturity. An instruction to roll over that can no
///   longer be carried out leaves the receipt claimable.
contract TermDeposit is TermPayments {
    constructor(
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        IdentityRegistry identityRegistry_,
        ProductRegistry productRegistry_,
        address accessManager,
        Parameters memory parameters
    )
        ERC721(name_, symbol_)
        AccessManaged(accessManager)
        TermBooks(asset_, identityRegistry_, productRegistry_, parameters)
    {
        _setLimits(parameters.cap, parameters.minDeposit);
        if (parameters.evidenceUntil != 0) _setEvidence(0, parameters.evidenceUntil);
    }
}
