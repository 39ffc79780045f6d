// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IRenderer} from "../interfaces/IRenderer.sol";
import {Receipts} from "./Receipts.sol";
import {TermReceipts} from "./TermReceipts.sol";
import {Text} from "./Text.sol";

/// @title ReceiptRenderer: what wallets and markets show of receipts and products, made on chain
///
/// @notice Holds nothing and decides nothing: each answer is worked out from what the product says at this block, so no
/// server is asked and none can change it. One serves every product of a system.
///
/// Text from products and assets may be anything. It is cut, cleaned (`Text.clean`) and escaped for where it goes, JSON
/// or XML; an asset that says nothing of its symbol or decimals is shown in smallest units.
contract ReceiptRenderer is IRenderer {
    using Strings for uint256;

    /// @dev All that is shown of a receipt, as text; what comes from outside is clean and not escaped.
    struct Face {
        string product;
        string number;
        string principal;
        string rate;
        string term;
        string opened;
        string maturity;
        string state;
        string roll;
        string drawn;
        /// Height of the elapsed part of the term in the gauge, up to `_GAUGE`.
        uint256 level;
        bytes32 seed;
    }

    error UnknownReceipt(uint256 id);

    /// @dev Most characters of a product's name, and of a symbol.
    uint256 private constant _NAME = 64;
    uint256 private constant _SYMBOL = 16;
    uint256 private constant _GAUGE = 240;
    /// @dev What a line of figures may take, in tenths of its font size.
    uint256 private constant _WIDTH = 3840;

    /// @inheritdoc IRenderer
    /// @dev A receipt that is gone is drawn too, as it was; the product itself answers for live ones alone.
    function tokenURI(address product, uint256 id) external view returns (string memory) {
        Face memory face = _faceOf(TermReceipts(product), id);
        string memory head = string.concat(
            '{"name":"',
            Strings.escapeJSON(face.product),
            " #",
            face.number,
            '","description":"',
            _description(face),
            '","attributes":['
        );
        return _dataUri("application/json", string.concat(head, _attributes(face), '],"image":"', _image(face), '"}'));
    }

    /// @inheritdoc IRenderer
    function contractURI(address product) external view returns (string memory) {
        string memory name = Strings.escapeJSON(_textOf(product, IERC20Metadata.name.selector, _NAME));
        string memory symbol = Strings.escapeJSON(_textOf(product, IERC20Metadata.symbol.selector, _SYMBOL));
        // Both kinds of product name their asset alike.
        address asset = TermReceipts(product).asset();
        string memory unit = Strings.escapeJSON(_textOf(asset, IERC20Metadata.symbol.selector, _SYMBOL));
        string memory kind = _isTerm(product)
            ? "Time deposits with interest fixed at opening, each an ERC-721 receipt"
            : "A demand deposit whose shares earn what its reports bring";
        string memory head = string.concat('{"name":"', name, '","symbol":"', symbol, '","description":"', kind);
        return _dataUri("application/json", string.concat(head, bytes(unit).length == 0 ? "" : ", in ", unit, '."}'));
    }

    // ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function _faceOf(TermReceipts product, uint256 id) private view returns (Face memory face) {
        (TermReceipts.Deposit memory deposit, uint256 paid) = product.receiptOf(id);
        if (deposit.status == Receipts.NONE) revert UnknownReceipt(id);
        address asset = product.asset();
        face.product = _textOf(address(product), IERC20Metadata.name.selector, _NAME);
        face.number = id.toString();
        face.principal = _amount(asset, deposit.principal);
        face.rate = string.concat(Text.decimal(product.termOf(deposit.termId).rate, 16), "%");
        uint256 length = deposit.maturity - deposit.openedAt;
        face.term = _days(length / 1 days);
        (face.opened, face.maturity) = (Text.date(deposit.openedAt), Text.date(deposit.maturity));
        face.state = _stateOf(deposit.status, product.books().claims > 0);
        face.roll = deposit.roll == 0 ? "None" : deposit.roll == 1 ? "Principal" : "Principal and interest";
        if (paid > 0) face.drawn = _amount(asset, paid);
        face.level = Math.min(block.timestamp - deposit.openedAt, length) * _GAUGE / length;
        face.seed = keccak256(abi.encode(product, id));
    }

    function _stateOf(uint256 status, bool windingDown) private pure returns (string memory) {
        if (status == Receipts.CLOSED) return "Closed";
        if (status == Receipts.EXITED_EARLY) return "Exited early";
        if (status == Receipts.ROLLED_OVER) return "Rolled over";
        if (status == Receipts.SETTLED) return "Settled";
        if (windingDown) return "Winding down";
        return status == Receipts.MATURED ? "Matured" : "Running";
    }

    function _amount(address asset, uint256 value) private view returns (string memory) {
        (bool done, bytes memory answer) = asset.staticcall(abi.encodeCall(IERC20Metadata.decimals, ()));
        uint256 decimals = done && answer.length >= 32 ? abi.decode(answer, (uint256)) : 0;
        string memory symbol = _textOf(asset, IERC20Metadata.symbol.selector, _SYMBOL);
        if (decimals > type(uint8).max) decimals = 0;
        return string.concat(Text.decimal(value, decimals), bytes(symbol).length == 0 ? "" : " ", symbol);
    }

    function _days(uint256 count) private pure returns (string memory) {
        return string.concat(count.toString(), count == 1 ? " day" : " days");
    }

    /// @dev What `target` answers, as a string or as 32 bytes padded with zeros; empty when it answers neither.
    function _textOf(address target, bytes4 selector, uint256 most) private view returns (string memory) {
        (bool done, bytes memory answer) = target.staticcall(abi.encodePacked(selector));
        if (!done || answer.length < 32) return "";
        uint256 start = 32;
        uint256 length;
        if (answer.length == 32) {
            start = 0;
            while (length < 32 && answer[length] != 0) ++length;
        } else {
            if (answer.length < 64) return "";
            // Nothing is read beyond the answer, whatever it says of itself.
            (uint256 offset, uint256 said) = abi.decode(answer, (uint256, uint256));
            if (offset != 32) return "";
            start = 64;
            // A character has four bytes at most, and one beyond the last shows that there is more.
            length = Math.min(Math.min(said, answer.length - 64), 4 * most + 1);
        }
        bytes memory raw = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            raw[i] = answer[start + i];
        }
        return Text.clean(raw, most);
    }

    function _isTerm(address product) private view returns (bool) {
        (bool done, bytes memory answer) = product.staticcall(abi.encodeCall(TermReceipts.receiptOf, (0)));
        return done && answer.length > 0;
    }

    // ── JSON ────────────────────────────────────────────────────────────────────────────────────────────────────────

    function _description(Face memory face) private pure returns (string memory) {
        string memory principal = Strings.escapeJSON(face.principal);
        string memory first = string.concat("A time deposit of ", principal, " at ", face.rate, " a year for ", face.term);
        return string.concat(
            first, ", opened on ", face.opened, ", due on ", face.maturity, " (UTC). The interest is simple, ACT/365."
        );
    }

    function _attributes(Face memory face) private pure returns (string memory) {
        string memory money =
            string.concat(_attribute("Principal", Strings.escapeJSON(face.principal)), ",", _attribute("Rate", face.rate));
        string memory time = string.concat(
            _attribute("Term", face.term), ",", _attribute("Opened", face.opened), ",", _attribute("Maturity", face.maturity)
        );
        string memory state = string.concat(_attribute("State", face.state), ",", _attribute("Roll-over", face.roll));
        string memory all = string.concat(money, ",", time, ",", state);
        if (bytes(face.drawn).length == 0) return all;
        return string.concat(all, ",", _attribute("Drawn", Strings.escapeJSON(face.drawn)));
    }

    function _attribute(string memory trait, string memory value) private pure returns (string memory) {
        return string.concat('{"trait_type":"', trait, '","value":"', value, '"}');
    }

    function _dataUri(string memory kind, string memory content) private pure returns (string memory) {
        return string.concat("data:", kind, ";base64,", Base64.encode(bytes(content)));
    }

    // ── SVG ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    function _image(Face memory face) private pure returns (string memory) {
        string memory head = string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" font-family="Instrument Sans,system-ui,sans-serif" fill="#0A2430">'
            '<rect width="480" height="480" fill="#F4F9FA"/>',
            _depthLines(face.seed),
            _gauge(face.level)
        );
        string memory product = Text.escapeXml(face.product);
        string memory top = string.concat(
            '<text x="32" y="52" font-size="16" font-weight="600" letter-spacing="4" fill="#006C7A">AQUA</text>',
            _figure("32", "84", _fit(face.product, 20, _WIDTH), product),
            '<text x="32" y="132" font-size="14" fill="#4A6572">Principal</text>',
            _figure("32", "176", _fit(face.principal, 36, _WIDTH), Text.escapeXml(face.principal))
        );
        string memory body = string.concat(
            _row("224", "Rate", string.concat(face.rate, " a year")),
            _row("260", "Term", face.term),
            _row("296", "Opened", face.opened),
            _row("332", "Maturity", face.maturity),
            _row("368", "State", face.state)
        );
        string memory last = bytes(face.drawn).length == 0
            ? _row("404", "Roll-over", face.roll)
            : _row("404", "Drawn", Text.escapeXml(face.drawn));
        string memory foot = string.concat(
            '<text x="32" y="448" font-size="12" fill="#4A6572">Receipt ', face.number, ", dates in UTC</text></svg>"
        );
        return _dataUri("image/svg+xml", string.concat(head, top, body, last, foot));
    }

    function _row(string memory y, string memory label, string memory value) private pure returns (string memory) {
        string memory name = string.concat('<text x="32" y="', y, '" font-size="14" fill="#4A6572">', label, "</text>");
        return string.concat(name, _figure("128", y, _fit(value, 16, _WIDTH - 960), value));
    }

    function _figure(string memory x, string memory y, string memory size, string memory text)
        private
        pure
        returns (string memory)
    {
        string memory place = string.concat('<text x="', x, '" y="', y, '" font-size="', size);
        return string.concat(place, '" font-family="Geist Mono,ui-monospace,monospace">', text, "</text>");
    }

    /// @dev The largest font size up to `size` at which a text keeps within `width`: the mono face is 0.6 of it wide, and
    /// what is not Latin counts as much for each byte.
    function _fit(string memory text, uint256 size, uint256 width) private pure returns (string memory) {
        return Math.min(size, width / (6 * bytes(text).length + 1)).toString();
    }

    /// @dev The elapsed part of the term, as water in a thin vessel with ticks.
    function _gauge(uint256 level) private pure returns (string memory) {
        string memory vessel =
            '<path d="M428 120v240M452 120v240M428 360h24M424 180h4M424 240h4M424 300h4" fill="none" stroke="#4A6572"/>';
        string memory top = (360 - level).toString();
        return string.concat(
            vessel, '<rect x="429" y="', top, '" width="22" height="', level.toString(), '" fill="#006C7A"/>'
        );
    }

    /// @dev Lines as on a sea chart, grown from the product and the number of the receipt.
    function _depthLines(bytes32 seed) private pure returns (string memory lines) {
        for (uint256 i = 0; i < 6; ++i) {
            uint256 y = 40 + i * 80;
            lines = string.concat(
                lines, "M0 ", (y + uint8(seed[i]) % 40).toString(), "Q120 ", (y + uint8(seed[i + 8]) % 64).toString()
            );
            lines = string.concat(lines, " 240 ", (y + uint8(seed[i + 16]) % 40).toString(), "T480 ", y.toString());
        }
        return string.concat('<path d="', lines, '" fill="none" stroke="#006C7A" opacity="0.12"/>');
    }
}
