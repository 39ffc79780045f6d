(* The accounting of contracts/src/DemandVault.sol and its parts in vault/: money and shares in total, streaming, and what each
   call changes.

   A call that the contract refuses is `None` here. Amounts are unbounded integers, where the contract refuses what does
   not fit its storage. Who may call, pauses, caps and ages of reports only refuse calls and are left out. *)
From Coq Require Import ZArith Lia List.
From Aqua Require Import Rounding.
Import ListNotations.
Open Scope Z_scope.

Definition virtualShares : Z := 1000000.
Definition wad : Z := 1000000000000000000.
Definition markScale : Z := 1000000000000000000000000000.

Record vault := Vault {
  held : Z;        (* assets of the pool, deployed ones and unstreamed gains included *)
  streaming : Z;   (* the gain that is streamed from streamStart to streamEnd *)
  streamStart : Z;
  streamEnd : Z;
  deployed : Z;    (* of what is held, the part that the custodian has *)
  supply : Z;      (* all shares *)
  queued : Z;      (* of these, the shares in the redemption queue *)
  mark : Z;        (* highest price a report led to, scaled *)
  now : Z          (* time *)
}.

(* What is streamed from now on, rounded up. *)
Definition unstreamed (v : vault) : Z :=
  if streamEnd v <=? now v then 0
  else mulDivUp (streaming v) (streamEnd v - now v) (streamEnd v - streamStart v).

Definition totalAssets (v : vault) : Z := held v - unstreamed v.
Definition shareBase (v : vault) : Z := supply v + virtualShares.
Definition sharesDown (v : vault) (assets : Z) : Z := mulDivDown assets (shareBase v) (totalAssets v + 1).
Definition sharesUp (v : vault) (assets : Z) : Z := mulDivUp assets (shareBase v) (totalAssets v + 1).
Definition assetsDown (v : vault) (shares : Z) : Z := mulDivDown shares (totalAssets v + 1) (shareBase v).
Definition assetsUp (v : vault) (shares : Z) : Z := mulDivUp shares (totalAssets v + 1) (shareBase v).
Definition idle (v : vault) : Z := held v - deployed v.

(* What holders may take at once: idle money beyond what the queue's shares are worth. *)
Definition instant (v : vault) : Z := Z.max 0 (idle v - assetsUp v (queued v)).

(* What may be deployed: idle money beyond the buffer and beyond what the queue is owed once all is streamed. *)
Definition deployable (v : vault) (buffer : Z) : Z :=
  Z.max 0 (idle v - (mulDivUp (queued v) (held v + 1) (shareBase v) + mulDivUp (held v) buffer wad)).

Definition setHeld (v : vault) (held' supply' queued' : Z) : vault :=
  Vault held' (streaming v) (streamStart v) (streamEnd v) (deployed v) supply' queued' (mark v) (now v).

Definition setDeployed (v : vault) (deployed' : Z) : vault :=
  Vault (held v) (streaming v) (streamStart v) (streamEnd v) deployed' (supply v) (queued v) (mark v) (now v).

(* From now on `held' - settled` is streamed over at least `time` seconds, not ending before the stream it continues. *)
Definition startStream (v : vault) (held' settled time mark' deployed' : Z) : vault :=
  Vault held' (held' - settled) (now v) (Z.max (now v + Z.max time 1) (streamEnd v)) deployed' (supply v) (queued v)
    mark' (now v).

Definition enter (v : vault) (assets shares : Z) : vault := setHeld v (held v + assets) (supply v + shares) (queued v).
Definition leave (v : vault) (assets shares : Z) : vault := setHeld v (held v - assets) (supply v - shares) (queued v).

(* What the queue's head is paid: shares released, assets paid. All idle money where it does not reach. *)
Definition served (v : vault) (shares : Z) : Z * Z :=
  let assets := assetsDown v shares in
  if idle v <? assets then (sharesUp v (idle v), idle v) else (shares, assets).

(* The fee on a gain, and the new mark. *)
Definition feeOf (v : vault) (gain rate : Z) : Z :=
  let above := Z.max 0 (held v + gain + 1 - mulDivUp (mark v) (shareBase v) markScale) in
  mulDivDown (Z.min above gain) rate wad.
Definition markAfter (v : vault) (held' : Z) : Z := Z.max (mark v) (mulDivUp (held' + 1) markScale (shareBase v)).

Inductive call :=
  | Deposit (assets : Z)
  | Mint (shares : Z)
  | Withdraw (assets : Z)
  | Redeem (shares : Z)
  | Request (shares : Z)          (* shares go into the queue *)
  | Process (shares : Z)          (* the queue has so many of its shares redeemed *)
  | Gain (assets fee time : Z)    (* a report of a gain or of 0; the stream's shortest time *)
  | Loss (assets : Z)             (* a report of a loss *)
  | GiveBack (assets stream time : Z) (* a loss turns out wrong: so much, of which the stream had borne so much *)
  | Deploy (assets buffer : Z)    (* to the custodian, beyond the buffer, a part of the assets scaled by 10^18 *)
  | Repay (assets : Z)
  | Wait (time : Z).

(* What a call answers: the assets and the shares that move. *)
Record answer := Answer { after : vault; assetsMoved : Z; sharesMoved : Z }.

Definition when (condition : bool) (result : answer) : option answer := if condition then Some result else None.

Definition run (v : vault) (c : call) : option answer :=
  match c with
  | Deposit assets =>
      let shares := sharesDown v assets in
      when ((0 <? assets) && (0 <? shares))%bool (Answer (enter v assets shares) assets shares)
  | Mint shares =>
      let assets := assetsUp v shares in
      when ((0 <? assets) && (0 <? shares))%bool (Answer (enter v assets shares) assets shares)
  | Withdraw assets =>
      let shares := sharesUp v assets in
      when ((0 <? assets) && (shares <=? supply v - queued v) && (assets <=? instant v))%bool
        (Answer (leave v assets shares) assets shares)
  | Redeem shares =>
      let assets := assetsDown v shares in
      when ((0 <? assets) && (0 <? shares) && (shares <=? supply v - queued v) && (assets <=? instant v))%bool
        (Answer (leave v assets shares) assets shares)
  | Request shares =>
      when ((0 <? shares) && (shares <=? supply v - queued v))%bool
        (Answer (setHeld v (held v) (supply v) (queued v + shares)) 0 shares)
  | Process shares =>
      let (released, assets) := served v shares in
      when ((0 <=? shares) && (shares <=? queued v))%bool
        (Answer (setHeld v (held v - assets) (supply v - released) (queued v - released)) assets released)
  | Gain gain rate time =>
      let fee := feeOf v gain rate in
      let held' := held v + gain - fee in
      let mark' := markAfter v held' in
      when ((0 <=? gain) && (0 <=? rate) && (rate <=? wad))%bool
        (Answer (if gain =? 0
           then Vault (held v) (streaming v) (streamStart v) (streamEnd v) (deployed v) (supply v) (queued v) mark' (now v)
           else startStream v held' (totalAssets v) time mark' (deployed v)) (gain - fee) 0)
  | Loss loss =>
      let lost := Z.min loss (deployed v) in
      let held' := held v - lost in
      when (0 <=? loss)
        (Answer (if lost =? 0 then v
           else startStream v held' (Z.min (totalAssets v) held') 0 (mark v) (deployed v - lost)) lost 0)
  | GiveBack loss stream time =>
      when ((0 <=? stream) && (stream <=? loss))%bool
        (Answer (startStream v (held v + loss) (totalAssets v + loss - stream) time (mark v) (deployed v + loss)) loss 0)
  | Deploy assets buffer =>
      when ((0 <? assets) && (0 <=? buffer) && (assets <=? deployable v buffer))%bool (Answer (setDeployed v (deployed v + assets)) assets 0)
  | Repay assets =>
      when ((0 <? assets) && (assets <=? deployed v))%bool (Answer (setDeployed v (deployed v - assets)) assets 0)
  | Wait time =>
      when (0 <=? time) (Answer (Vault (held v) (streaming v) (streamStart v) (streamEnd v) (deployed v) (supply v)
        (queued v) (mark v) (now v + time)) 0 0)
  end.

(* The vault as it is deployed. *)
Definition newVault (time vesting : Z) : vault :=
  Vault 0 0 time (time + vesting) 0 0 0 (markScale / virtualShares) time.

(* The states that calls reach. *)
Record sound (v : vault) : Prop := Sound {
  soundStreaming : 0 <= streaming v;
  soundStart : streamStart v <= now v;
  soundTimes : streamStart v < streamEnd v;
  soundTotal : 0 <= totalAssets v;
  soundDeployed : 0 <= deployed v <= held v;
  soundQueued : 0 <= queued v <= supply v
}.

(* The share price, (totalAssets + 1) / (supply + 10^6), of `v` is at most that of `w`; multiplied out. *)
Definition priceAtMost (v w : vault) : Prop :=
  (totalAssets v + 1) * shareBase w <= (totalAssets w + 1) * shareBase v.

Ltac checks H :=
  repeat match type of H with
  | context [Z.ltb ?a ?b] => destruct (Z.ltb_spec a b)
  | context [Z.leb ?a ?b] => destruct (Z.leb_spec a b)
  end; cbn in H; try discriminate H.

Lemma unstreamed_nonnegative v : sound v -> 0 <= unstreamed v.
Proof.
  intros s. unfold unstreamed. destruct (Z.leb_spec (streamEnd v) (now v)); [lia|].
  apply up_nonnegative; destruct s; lia.
Qed.

Lemma total_at_most_held v : sound v -> totalAssets v <= held v.
Proof. intros s. pose proof (unstreamed_nonnegative v s). unfold totalAssets. lia. Qed.

Lemma base_positive v : sound v -> 0 < shareBase v.
Proof. intros []. unfold shareBase, virtualShares. lia. Qed.

(* What is streamed later is less the later it is. *)
Lemma streams_upwards v time : sound v -> 0 <= time ->
  totalAssets v <= totalAssets (Vault (held v) (streaming v) (streamStart v) (streamEnd v) (deployed v) (supply v)
    (queued v) (mark v) (now v + time)).
Proof.
  intros s later. pose proof (unstreamed_nonnegative v s) as positive. destruct s.
  unfold totalAssets, unstreamed in *; cbn in *.
  destruct (Z.leb_spec (streamEnd v) (now v + time)); destruct (Z.leb_spec (streamEnd v) (now v)); try lia.
  enough (mulDivUp (streaming v) (streamEnd v - (now v + time)) (streamEnd v - streamStart v)
    <= mulDivUp (streaming v) (streamEnd v - now v) (streamEnd v - streamStart v)) by lia.
  unfold mulDivUp. apply -> Z.opp_le_mono. apply Z.div_le_mono; [lia|].
  apply -> Z.opp_le_mono. apply Z.mul_le_mono_nonneg_l; lia.
Qed.

(* A new stream leaves the total where its `settled` says. *)
Lemma startStream_total v held' settled time mark' deployed' :
  totalAssets (startStream v held' settled time mark' deployed') = settled.
Proof.
  unfold totalAssets, unstreamed, startStream; cbn.
  destruct (Z.leb_spec (Z.max (now v + Z.max time 1) (streamEnd v)) (now v)); [lia|].
  rewrite up_exact; lia.
Qed.

Lemma startStream_sound v held' settled time mark' deployed' : sound v ->
  0 <= settled <= held' -> 0 <= deployed' <= held' -> sound (startStream v held' settled time mark' deployed').
Proof.
  intros s settledFits deployedFits. pose proof (startStream_total v held' settled time mark' deployed') as total.
  destruct s. constructor; rewrite ?total; cbn; lia.
Qed.

(* Money and shares that move at or below the price in, at or above it out. *)
Lemma total_of_setHeld v held' supply' queued' :
  totalAssets (setHeld v held' supply' queued') = totalAssets v + (held' - held v).
Proof. unfold totalAssets, unstreamed; cbn. destruct (streamEnd v <=? now v); lia. Qed.

(* So many shares are worth at most what all are worth. *)
Lemma assetsDown_at_most_total v shares : sound v -> 0 <= shares <= supply v -> assetsDown v shares <= totalAssets v.
Proof.
  intros s fits. pose proof (base_positive v s). destruct s. apply down_at_most; [assumption|].
  rewrite (Z.mul_comm shares). apply Z.mul_lt_mono_pos_l; unfold shareBase, virtualShares in *; lia.
Qed.

Lemma assetsDown_nonnegative v shares : sound v -> 0 <= shares -> 0 <= assetsDown v shares.
Proof. intros s fits. pose proof (base_positive v s). destruct s. apply down_nonnegative; lia. Qed.

(* Who pays for `shares` rounded up takes out no more than these are worth. *)
Lemma sharesUp_covers v assets : sound v -> 0 <= assets ->
  assets * shareBase v <= sharesUp v assets * (totalAssets v + 1).
Proof. intros [] fits. apply up_bounds. lia. Qed.

Lemma assets_covered_at_most_total v assets shares : sound v -> shares <= supply v ->
  assets * shareBase v <= shares * (totalAssets v + 1) -> assets <= totalAssets v.
Proof.
  intros s fits covered. pose proof (base_positive v s) as positive. destruct s.
  apply Z.lt_succ_r. apply (Z.mul_lt_mono_pos_r (shareBase v)); [assumption|].
  apply Z.le_lt_trans with (shares * (totalAssets v + 1)); [assumption|].
  unfold Z.succ. rewrite Z.mul_comm. apply Z.mul_lt_mono_pos_l; unfold shareBase, virtualShares; lia.
Qed.

(* What the queue is served: never more shares than it asked for, never more money than is idle, at no more than the price. *)
Lemma served_fits v shares : sound v -> 0 <= shares <= queued v ->
  let (released, assets) := served v shares in
  0 <= released <= shares /\ 0 <= assets <= idle v
  /\ assets * shareBase v <= released * (totalAssets v + 1).
Proof.
  intros s fits. pose proof (base_positive v s) as positive.
  pose proof (assetsDown_nonnegative v shares s ltac:(lia)) as some.
  assert (price : 0 < totalAssets v + 1) by (destruct s; lia).
  assert (here : 0 <= idle v) by (unfold idle; destruct s; lia).
  pose proof (down_bounds shares (totalAssets v + 1) (shareBase v) positive) as bounds.
  unfold served. destruct (Z.ltb_spec (idle v) (assetsDown v shares)) as [short|enough].
  - pose proof (sharesUp_covers v (idle v) s here) as covers.
    assert (0 <= sharesUp v (idle v)) by (apply up_nonnegative; lia).
    assert (sharesUp v (idle v) <= shares).
    { apply up_at_most; [assumption|]. unfold assetsDown in short.
      apply Z.le_trans with (mulDivDown shares (totalAssets v + 1) (shareBase v) * shareBase v); [|lia].
      apply Z.mul_le_mono_pos_r; lia. }
    lia.
  - unfold assetsDown in *. lia.
Qed.

Lemma fee_fits v gain rate : 0 <= gain -> 0 <= rate <= wad -> 0 <= feeOf v gain rate <= gain.
Proof.
  intros some fits. unfold feeOf. set (above := Z.max 0 _).
  assert (part : 0 <= Z.min above gain <= gain) by lia.
  assert (0 < wad) by reflexivity. split.
  - apply down_nonnegative; lia.
  - apply down_at_most; [assumption|].
    apply Z.le_lt_trans with (gain * wad); [apply Z.mul_le_mono_nonneg; lia|].
    apply Z.mul_lt_mono_pos_r; lia.
Qed.

(* Buying at or above the price, and leaving at or below it, keeps the books sound and never lowers the price. *)
Lemma enter_keeps v assets shares : sound v -> 0 <= assets -> 0 <= shares ->
  shares * (totalAssets v + 1) <= assets * shareBase v ->
  sound (enter v assets shares) /\ priceAtMost v (enter v assets shares).
Proof.
  intros s some someShares fair.
  pose proof (total_of_setHeld v (held v + assets) (supply v + shares) (queued v)) as total. destruct s.
  unfold enter. split.
  - constructor; rewrite ?total; cbn; lia.
  - unfold priceAtMost. rewrite total. unfold shareBase in *; cbn. nia.
Qed.

Lemma leave_keeps v assets shares queued' : sound v -> 0 <= assets <= idle v -> 0 <= shares <= supply v ->
  0 <= queued' <= supply v - shares -> assets * shareBase v <= shares * (totalAssets v + 1) ->
  sound (setHeld v (held v - assets) (supply v - shares) queued')
  /\ priceAtMost v (setHeld v (held v - assets) (supply v - shares) queued').
Proof.
  intros s fits fitsShares fitsQueue fair.
  pose proof (assets_covered_at_most_total v assets shares s ltac:(lia) fair) as enough.
  pose proof (total_of_setHeld v (held v - assets) (supply v - shares) queued') as total.
  unfold idle in *. destruct s. split.
  - constructor; rewrite ?total; cbn; lia.
  - unfold priceAtMost. rewrite total. unfold shareBase in *; cbn. nia.
Qed.

Lemma instant_at_most_idle v : sound v -> instant v <= idle v.
Proof.
  intros s. pose proof (base_positive v s). unfold instant.
  assert (0 <= assetsUp v (queued v)) by (destruct s; apply up_nonnegative; lia).
  assert (0 <= idle v) by (unfold idle; destruct s; lia). lia.
Qed.

Lemma same_price v w : totalAssets v = totalAssets w -> supply v = supply w -> priceAtMost v w.
Proof. unfold priceAtMost, shareBase. intros -> ->. lia. Qed.

Definition isLoss (c : call) : bool := match c with Loss _ => true | _ => false end.

(* Every call keeps the books sound; every one but the report of a loss leaves the price where it is or raises it. *)
Lemma run_keeps v c answer : sound v -> run v c = Some answer ->
  sound (after answer) /\ (isLoss c = false -> priceAtMost v (after answer)).
Proof.
  intros s done. pose proof (base_positive v s) as positive.
  pose proof (instant_at_most_idle v s) as reach. pose proof (total_at_most_held v s) as below.
  assert (price : 0 < totalAssets v + 1) by (destruct s; lia).
  destruct c; cbn [run isLoss] in *; unfold when in done.
  - (* Deposit *)
    checks done. injection done as <-. cbn [after].
    destruct (enter_keeps v assets (sharesDown v assets) s); try lia; [|tauto].
    apply down_bounds. assumption.
  - (* Mint *)
    checks done. injection done as <-. cbn [after].
    destruct (enter_keeps v (assetsUp v shares) shares s); try lia; [|tauto].
    apply up_bounds. assumption.
  - (* Withdraw *)
    checks done. injection done as <-. cbn [after].
    pose proof (sharesUp_covers v assets s ltac:(lia)) as fair.
    assert (0 <= sharesUp v assets) by (apply up_nonnegative; lia).
    pose proof (soundQueued v s).
    destruct (leave_keeps v assets (sharesUp v assets) (queued v) s); try lia; tauto.
  - (* Redeem *)
    checks done. injection done as <-. cbn [after].
    pose proof (down_bounds shares (totalAssets v + 1) (shareBase v) positive) as fair.
    pose proof (soundQueued v s).
    destruct (leave_keeps v (assetsDown v shares) shares (queued v) s); unfold assetsDown in *; try lia; tauto.
  - (* Request *)
    checks done. injection done as <-. cbn [after].
    pose proof (total_of_setHeld v (held v) (supply v) (queued v + shares)) as total. split.
    + destruct s. constructor; rewrite ?total; cbn; lia.
    + intros _. apply same_price; [rewrite total; lia|reflexivity].
  - (* Process *)
    pose proof (served_fits v shares s) as fits. destruct (served v shares) as [released assets].
    checks done. injection done as <-. cbn [after]. pose proof (soundQueued v s).
    destruct fits as (fitsShares & fitsAssets & fair); [lia|].
    destruct (leave_keeps v assets released (queued v - released) s); try lia; tauto.
  - (* Gain *)
    checks done. injection done as <-. cbn [after]. rename assets into gain.
    pose proof (fee_fits v gain fee ltac:(lia) ltac:(lia)). destruct (gain =? 0).
    + split; [|intros _; apply same_price; reflexivity]. destruct s. constructor; assumption.
    + split; [|intros _; apply same_price; [symmetry; apply startStream_total|reflexivity]].
      pose proof (soundTotal v s). pose proof (soundDeployed v s). apply startStream_sound; [assumption|lia|lia].
  - (* Loss *)
    checks done. injection done as <-. cbn [after]. split; [|discriminate].
    destruct (Z.min assets (deployed v) =? 0); [assumption|].
    pose proof (soundTotal v s). pose proof (soundDeployed v s). apply startStream_sound; [assumption|lia|lia].
  - (* GiveBack *)
    checks done. injection done as <-. cbn [after].
    pose proof (soundTotal v s). pose proof (soundDeployed v s). split; [apply startStream_sound; [assumption|lia|lia]|].
    intros _. unfold priceAtMost. rewrite startStream_total. unfold shareBase in *; cbn.
    apply Z.mul_le_mono_nonneg_r; lia.
  - (* Deploy *)
    checks done. injection done as <-. cbn [after]. split; [|intros _; apply same_price; reflexivity].
    assert (assets <= idle v).
    { unfold deployable in *. pose proof (soundQueued v s). pose proof (soundDeployed v s).
      assert (0 <= mulDivUp (queued v) (held v + 1) (shareBase v)) by (apply up_nonnegative; lia).
      assert (0 <= mulDivUp (held v) buffer wad) by (apply up_nonnegative; unfold wad; lia). lia. }
    unfold idle in *. destruct s. constructor; cbn; try assumption; lia.
  - (* Repay *)
    checks done. injection done as <-. cbn [after]. split; [|intros _; apply same_price; reflexivity].
    destruct s. constructor; cbn; try assumption; lia.
  - (* Wait *)
    checks done. injection done as <-. cbn [after]. rename time into later.
    pose proof (streams_upwards v later s ltac:(lia)) as upwards. split.
    + destruct s. constructor; cbn [streaming streamStart streamEnd deployed held queued supply now]; try lia.
    + intros _. unfold priceAtMost, shareBase in *; cbn [supply] in *. apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(* Calls one after another, by anybody; refused ones change nothing. *)
Fixpoint runAll (v : vault) (calls : list call) : vault :=
  match calls with
  | [] => v
  | c :: rest => match run v c with Some answer => runAll (after answer) rest | None => runAll v rest end
  end.

Lemma new_vault_sound time vesting : 0 < vesting -> sound (newVault time vesting).
Proof.
  intros some. constructor; cbn; try lia. unfold totalAssets, unstreamed; cbn.
  destruct (time + vesting <=? time); lia.
Qed.

(* Whatever is called, the books stay sound: the price never counts less than nothing, what is deployed is held, and the
   queue's shares are among all shares. *)
Theorem books_stay_sound calls : forall v, sound v -> sound (runAll v calls).
Proof.
  induction calls as [|c rest IH]; intros v s; [assumption|]. cbn. destruct (run v c) eqn:done; [|auto].
  apply IH. apply (run_keeps v c a s done).
Qed.

Lemma price_transitive u v w : sound u -> sound v -> sound w -> priceAtMost u v -> priceAtMost v w -> priceAtMost u w.
Proof.
  intros su sv sw uv vw. pose proof (base_positive v sv). pose proof (base_positive u su). pose proof (base_positive w sw).
  unfold priceAtMost in *. apply (Z.mul_le_mono_pos_r _ _ (shareBase v)); [assumption|].
  apply Z.le_trans with ((totalAssets v + 1) * shareBase u * shareBase w).
  - replace ((totalAssets u + 1) * shareBase w * shareBase v) with ((totalAssets u + 1) * shareBase v * shareBase w) by ring.
    apply Z.mul_le_mono_nonneg_r; lia.
  - replace ((totalAssets v + 1) * shareBase u * shareBase w) with ((totalAssets v + 1) * shareBase w * shareBase u) by ring.
    replace ((totalAssets w + 1) * shareBase u * shareBase v) with ((totalAssets w + 1) * shareBase v * shareBase u) by ring.
    apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(* 1. The share price never falls but by a reported loss. Fees included: they are taken from gains only. *)
Theorem price_never_falls calls : forall v, sound v -> forallb (fun c => negb (isLoss c)) calls = true ->
  priceAtMost v (runAll v calls).
Proof.
  induction calls as [|c rest IH]; intros v s noLoss; [unfold priceAtMost; cbn; lia|].
  cbn in noLoss. apply andb_prop in noLoss as [first others]. cbn.
  destruct (run v c) eqn:done; [|auto].
  destruct (run_keeps v c a s done) as [sound' rises]. apply price_transitive with (after a); auto.
  - apply books_stay_sound. assumption.
  - apply rises. destruct (isLoss c); [discriminate|reflexivity].
Qed.

Definition isTrade (c : call) : bool :=
  match c with Deposit _ | Mint _ | Withdraw _ | Redeem _ | Process _ | Request _ => true | _ => false end.

(* 2. Round trips never profit. Whoever trades with the vault in one moment, in whatever ways and however often, and ends
   with the number of shares there was, leaves the pool at least the money it had: together they took out no more than
   they paid in. *)
Theorem round_trips_never_profit calls v : sound v -> forallb isTrade calls = true ->
  supply v <= supply (runAll v calls) -> totalAssets v <= totalAssets (runAll v calls).
Proof.
  intros s trades noFewer.
  assert (rises : priceAtMost v (runAll v calls)).
  { apply price_never_falls; [assumption|]. clear -trades. induction calls as [|c rest IH]; [reflexivity|].
    cbn in *. apply andb_prop in trades as [first others]. rewrite IH by assumption.
    destruct c; try discriminate; reflexivity. }
  pose proof (books_stay_sound calls v s) as s'. pose proof (base_positive v s). destruct s'.
  unfold priceAtMost, shareBase in *. pose proof (soundTotal v s). nia.
Qed.

(* The same for the two calls that a wallet would try: what comes out is never more than what went in. *)
Corollary deposit_then_redeem v assets first second : sound v ->
  run v (Deposit assets) = Some first -> run (after first) (Redeem (sharesMoved first)) = Some second ->
  assetsMoved second <= assets.
Proof.
  intros s bought sold.
  pose proof (round_trips_never_profit [Deposit assets; Redeem (sharesMoved first)] v s eq_refl) as trip.
  cbn [runAll] in trip. rewrite bought in trip. rewrite sold in trip. cbn [run] in bought, sold. unfold when in *.
  checks bought. injection bought as <-. cbn [after sharesMoved] in *. checks sold. injection sold as <-.
  cbn [after assetsMoved] in *. unfold leave, enter in *. rewrite !total_of_setHeld in trip. cbn in *. lia.
Qed.

Corollary mint_then_withdraw v shares first assets second : sound v ->
  run v (Mint shares) = Some first -> run (after first) (Withdraw assets) = Some second ->
  sharesMoved second <= shares -> assets <= assetsMoved first.
Proof.
  intros s bought sold.
  pose proof (round_trips_never_profit [Mint shares; Withdraw assets] v s eq_refl) as trip.
  cbn [runAll] in trip. rewrite bought in trip. rewrite sold in trip. cbn [run] in bought, sold. unfold when in *.
  checks bought. injection bought as <-. cbn [after sharesMoved] in *. checks sold. injection sold as <-.
  cbn [after assetsMoved sharesMoved] in *. unfold leave, enter in *. rewrite !total_of_setHeld in trip. cbn in *.
  intros. lia.
Qed.
