(* Runs random calls through the extracted model and prints each with the model's answer, for the contracts to repeat.

     trace vault|term <calls> <seed>

   A row of the vault and its queue is: call, wallet, amount and, unless the call is refused: assets moved, shares moved,
   totalAssets, held, money set aside. A row of a time deposit is: call, receipt, choice, amount and, unless the call is
   refused: assets moved, cash, deployed, liabilities, reserved. *)
module M = Vault_model
module T = Term_model

let seed = ref 0L

(* splitmix64, the same on every version of OCaml. *)
let next () =
  seed := Int64.add !seed 0x9E3779B97F4A7C15L;
  let mix z shift factor = Int64.mul (Int64.logxor z (Int64.shift_right_logical z shift)) factor in
  let z = mix (mix !seed 30 0xBF58476D1CE4E5B9L) 27 0x94D049BB133111EBL in
  Int64.to_int (Int64.shift_right_logical (Int64.logxor z (Int64.shift_right_logical z 31)) 2)

let below n = next () mod n

(* From 0 up to `most`; `most` itself and its neighbours now and then. *)
let upTo most =
  if Z.sign most <= 0 then Z.of_int (below 2)
  else
    match below 8 with
    | 0 -> most
    | 1 -> Z.succ most
    | 2 -> Z.min most (Z.of_int (1 + below 9))
    | _ -> Z.div (Z.mul most (Z.of_int (1 + below 1_000_000))) (Z.of_int 1_000_000)

(* From 1 up to 2^60, small ones as likely as large ones. *)
let anyAmount () = Z.succ (Z.shift_right (Z.of_int (next ())) (2 + below 60))

let day = 86400
let maxAge = 3 * day
let vesting = day
let feeRate = Z.of_string "100000000000000000"
let buffer = Z.of_string "100000000000000000"
let maxRate = Z.of_string "200000000000000000"
let year = Z.mul (Z.of_int (365 * day)) (Z.of_string "1000000000000000000")
let start = 1_800_000_000

(* A row with what the model answers, or a short one where it refuses. *)
let row asked answer =
  print_string (String.concat "," (List.map Z.to_string (asked @ answer)));
  print_newline ()

let wallets = 4
let mostPlaces = 14

let vaultTrace calls =
  let v = ref (M.newVault (Z.of_int start) (Z.of_int vesting)) and q = ref M.newQueue in
  let balances = Array.make wallets Z.zero in
  (* The requests of each wallet, as numbers from the first one on, the newest first. *)
  let requests = Array.make wallets [] and made = ref 0 in
  (* The line is payable up to so many shares from so long on, the newest first. *)
  let moments = ref [ (Z.zero, 0) ] in
  let lastReport = ref start and closedUntil = ref 0 in
  let time () = Z.to_int !v.M.now in
  let print kind who amount assets shares =
    row [ Z.of_int kind; Z.of_int who; amount ] [ assets; shares; M.totalAssets !v; !v.M.held; !q.M.aside ]
  in
  let refuse kind who amount = row [ Z.of_int kind; Z.of_int who; amount ] [] in
  (* Runs a call that only the model decides about, and prints it. *)
  let run kind who amount call settle =
    match M.run !v call with
    | Some a ->
        v := a.M.after;
        settle a.M.sharesMoved;
        print kind who amount a.M.assetsMoved a.M.sharesMoved
    | None -> refuse kind who amount
  in
  (* The contracts refuse what does not fit their storage, which the model does not know. *)
  let buy kind who amount call =
    match M.run !v call with
    | Some { M.after; _ } when Z.numbits after.M.supply > 104 || Z.numbits after.M.held > 84 -> ()
    | _ -> run kind who amount call (fun shares -> balances.(who) <- Z.add balances.(who) shares)
  in
  (* A wallet has no more shares than its own, which the model does not count. *)
  let leave kind who amount call settle =
    match M.run !v call with
    | Some a when Z.leq a.M.sharesMoved balances.(who) ->
        run kind who amount call (fun shares ->
            balances.(who) <- Z.sub balances.(who) shares;
            settle shares)
    | _ -> refuse kind who amount
  in
  let must call =
    match M.run !v call with Some a -> v := a.M.after; a | None -> failwith "the vault's model refused a call"
  in
  let step s = match M.go !q s with Some after -> q := after | None -> failwith "the queue's model refused a step" in
  let payable () =
    let reached, _ = List.find (fun (_, from) -> from <= time ()) !moments in
    Z.max Z.zero (Z.sub reached (M.processed !q.M.batches))
  in
  let serve () =
    let a = must (M.Process (payable ())) in
    if Z.sign a.M.sharesMoved > 0 then step (M.Serve (a.M.sharesMoved, a.M.assetsMoved));
    a
  in
  (* A report serves the queue, then takes the result, then makes all requests payable; `later` follows in the same second. *)
  let report ?(later = []) kind amount call =
    let before = !v in
    ignore (serve ());
    ignore (must call);
    lastReport := time ();
    let covered = M.lineEnd !q.M.places and reached, last = List.hd !moments in
    let from = if Z.sign !v.M.streaming = 0 then time () else max (time ()) (Z.to_int !v.M.streamEnd) in
    if Z.gt covered reached then moments := (covered, max last from) :: !moments;
    List.iter (fun call -> ignore (must call)) later;
    print kind 0 amount (Z.abs (Z.sub !v.M.held before.M.held)) (Z.sub before.M.supply !v.M.supply)
  in
  let gain amount =
    let covered = min (time () - !lastReport) (7 * day) in
    report 5 amount (M.Gain (amount, feeRate, Z.of_int (max vesting covered)))
  in
  let wait seconds =
    if time () + seconds - !lastReport > maxAge then (if time () > !lastReport then gain Z.zero else ())
    else run 8 0 (Z.of_int seconds) (M.Wait (Z.of_int seconds)) ignore
  in
  let numberOf request = Z.of_int (!made - 1 - request) in
  let placeOf request = List.nth !q.M.places (!made - 1 - request) in
  let claimableOf request = M.claimable !q.M.batches (placeOf request) in
  let claim kind who amount =
    let whole = List.fold_left (fun sum r -> Z.add sum (claimableOf r)) Z.zero requests.(who) in
    let wanted = amount whole in
    if Z.gt wanted whole || Z.sign whole = 0 then (if Z.gt wanted whole then refuse kind who wanted)
    else (
      let left = ref wanted in
      List.iter
        (fun r ->
          let part = Z.min !left (claimableOf r) in
          left := Z.sub !left part;
          if Z.sign part > 0 then step (M.Claim (numberOf r, part)))
        (List.rev requests.(who));
      let open_ r =
        let p = placeOf r in
        Z.sign (claimableOf r) > 0 || Z.gt (Z.add p.M.first p.M.size) (M.processed !q.M.batches)
      in
      requests.(who) <- List.filter open_ requests.(who);
      print kind who wanted wanted Z.zero)
  in
  for _ = 1 to calls do
    let who = below wallets in
    match below 24 with
    | 0 | 1 | 2 when time () >= !closedUntil ->
        let assets = anyAmount () in
        buy 1 who assets (M.Deposit assets)
    | 3 | 4 when time () >= !closedUntil ->
        let shares = Z.mul (anyAmount ()) (Z.of_int (1 + below 1_000_000)) in
        buy 2 who shares (M.Mint shares)
    | 5 | 6 ->
        let most = Z.min (M.assetsDown !v balances.(who)) (M.instant !v) in
        let assets = upTo most in
        leave 3 who assets (M.Withdraw assets) ignore
    | 7 | 8 ->
        let shares = upTo balances.(who) in
        leave 4 who shares (M.Redeem shares) ignore
    | 9 | 10 when time () > !lastReport ->
        let passed = Z.of_int (time () - !lastReport) in
        let bound = Z.div (Z.mul (M.totalAssets !v) (Z.mul maxRate passed)) year in
        gain (Z.min bound (upTo bound))
    | 11 when time () > !lastReport && Z.sign !v.M.deployed > 0 ->
        let part = Z.div !v.M.deployed (Z.of_int (match below 40 with 0 -> 1 | 1 | 2 | 3 -> 20 | _ -> 300)) in
        let loss = Z.max Z.one (upTo part) in
        let lost = Z.min loss !v.M.deployed in
        (* Whether the loss is reviewed follows from what is held once the queue is served. *)
        let saved = (!v, !q) in
        ignore (serve ());
        let served = !v in
        v := fst saved;
        q := snd saved;
        if Z.gt (Z.mul lost (Z.of_int 100)) served.M.held && below 2 = 0 then
          let borne = Z.min lost (Z.sub served.M.held (M.totalAssets served)) in
          report 7 loss (M.Loss loss) ~later:[ M.GiveBack (lost, borne, Z.of_int vesting) ]
        else (
          report 6 loss (M.Loss loss);
          closedUntil := time () + day)
    | 12 | 13 ->
        let assets = upTo (M.deployable !v buffer) in
        run 9 0 assets (M.Deploy (assets, buffer)) ignore
    | 14 ->
        let assets = upTo !v.M.deployed in
        run 10 0 assets (M.Repay assets) ignore
    | 15 | 16 when List.length requests.(who) < mostPlaces ->
        let shares = upTo (Z.div balances.(who) (Z.of_int (1 + below 3))) in
        leave 11 who shares (M.Request shares) (fun shares ->
            step (M.Join shares);
            requests.(who) <- !made :: requests.(who);
            incr made)
    | 17 ->
        let a = serve () in
        if Z.sign a.M.sharesMoved = 0 then refuse 12 0 Z.zero else print 12 0 Z.zero a.M.assetsMoved a.M.sharesMoved
    | 18 -> claim 13 who (fun whole -> whole)
    | 19 -> claim 14 who (fun whole -> Z.max Z.one (upTo whole))
    | _ -> wait (1 + below (if below 4 = 0 then day else 4000))
  done

let termBuffer = Z.of_string "200000000000000000"

(* As in contracts/test/campaign/TermReplay.t.sol: rate, break rate, penalty, days. *)
let offered =
  Array.map
    (fun (rate, breakRate, penalty, days) ->
      let part text = Z.of_string text in
      { T.rate = part rate; breakRate = part breakRate; penalty = part penalty; length = Z.of_int (days * day) })
    [|
      ("100000000000000000", "20000000000000000", "5000000000000000", 7);
      ("60000000000000000", "0", "0", 30);
      ("1000000000000000000", "500000000000000000", "100000000000000000", 3);
      ("333333333333333333", "1", "1234567890123456", 1);
    |]

let termTrace calls =
  let time = ref (Z.of_int start) in
  let fresh () = T.newProduct termBuffer !time in
  let p = ref (fresh ()) and count = ref 0 in
  (* In some products all money is with the custodian, so that payments are missed and the winding down begins. *)
  let calm = ref true and age = ref 0 in
  (* Live receipts, the newest first. *)
  let live = ref [] in
  let windingDown () = Z.sign !p.T.claims > 0 in
  let print kind id choice amount moved =
    row
      [ Z.of_int kind; Z.of_int id; Z.of_int choice; amount ]
      [ moved; !p.T.cash; !p.T.deployed; !p.T.liabilities; !p.T.reserved ]
  in
  let accept a =
    p := a.T.after;
    time := !p.T.now
  in
  let run kind id choice amount call settle =
    match T.run !p call with
    | Some a ->
        accept a;
        settle ();
        print kind id choice amount a.T.moved
    | None -> row [ Z.of_int kind; Z.of_int id; Z.of_int choice; amount ] []
  in
  let numberOf id = Z.of_int (!count - id) in
  let opened () =
    incr count;
    live := !count :: !live
  in
  let gone id () = live := List.filter (fun other -> other <> id) !live in
  let anyReceipt () =
    match !live with
    | [] -> max 1 !count
    | _ when below 20 = 0 -> 1 + below !count
    | ids -> List.nth ids (below (List.length ids))
  in
  let free () = Z.max Z.zero (Z.sub (Z.add !p.T.cash !p.T.deployed) !p.T.liabilities) in
  let principals () = Z.sub !p.T.liabilities !p.T.reserved in
  for _ = 1 to calls do
    let id = anyReceipt () in
    incr age;
    if below (if windingDown () then 80 else 300) = 0 then (
      p := fresh ();
      calm := below 4 = 0;
      age := 0;
      count := 0;
      live := [];
      print 0 0 0 Z.zero Z.zero)
    else if !age = 1 then
      let amount = Z.of_int (1_000_000 + below 1_000_000_000_000_000) in
      run 5 0 0 amount (T.FundInterest amount) ignore
    else
      match below 24 with
      | 0 | 1 | 2 | 3 when List.length !live < 40 ->
          let choice = below 4 in
          let amount = if below 3 = 0 then anyAmount () else Z.succ (Z.div (Z.mul (free ()) (Z.of_int (1 + below 900))) (Z.of_int 10)) in
          run 1 0 choice amount (T.Open (offered.(choice), amount)) opened
      | 4 | 5 when !count > 0 -> run 2 id 0 Z.zero (T.Close (numberOf id)) (gone id)
      | 6 | 19 when !count > 0 ->
          let whole = (List.nth !p.T.receipts (!count - id)).T.principal in
          let part = if below 3 = 0 then whole else upTo whole in
          run 3 id 0 part
            (T.ExitEarly (numberOf id, part))
            (fun () -> if Z.equal part whole then gone id ())
      | 7 | 8 when !count > 0 ->
          let choice = below 4 and all = below 2 = 0 in
          run 4 id (choice + if all then 4 else 0) Z.zero
            (T.RollOver (numberOf id, offered.(choice), all))
            (fun () -> gone id (); opened ())
      | 9 when !calm || !age < 40 || windingDown () ->
          let amount = anyAmount () in
          run 5 0 0 amount (T.FundInterest amount) ignore
      | 10 ->
          let kept = if windingDown () then !p.T.liabilities else Z.add !p.T.reserved (T.bufferOf !p) in
          let amount = upTo (Z.min (free ()) (Z.max Z.zero (Z.sub !p.T.cash kept))) in
          run 6 0 0 amount (T.WithdrawInterest amount) ignore
      | 11 | 12 | 13 ->
          let most = Z.sub (Z.sub (principals ()) (T.bufferOf !p)) !p.T.deployed in
          let most = Z.min most (Z.sub !p.T.cash !p.T.reserved) in
          let amount = if !calm then upTo most else Z.max Z.one most in
          run 7 0 0 amount (T.Deploy amount) ignore
      | 14 when !calm || windingDown () ->
          let amount = Z.max Z.one (upTo (Z.div !p.T.deployed (Z.of_int (1 + below 4)))) in
          run 8 0 0 amount (T.Repay amount) ignore
      | 15 ->
          (* Before a winding down only what the free interest bears: others are reviewed first, see proofs.md. *)
          let most = if windingDown () then !p.T.deployed else Z.min !p.T.deployed (free ()) in
          let amount = upTo (Z.div most (Z.of_int 3)) in
          if Z.leq amount most then run 9 0 0 amount (T.Loss amount) ignore
      | 16 when !count > 0 && (not (windingDown ())) -> (
          match T.run !p (T.Demand (numberOf id)) with
          | Some _ ->
              (match T.run !p (T.Wait (Z.of_int (3 * day))) with Some a -> accept a | None -> ());
              run 10 id 0 Z.zero (T.Demand (numberOf id)) ignore
          | None -> run 10 id 0 Z.zero (T.Demand (numberOf id)) ignore)
      | 16 | 17 | 18 when !count > 0 && windingDown () -> run 11 id 0 Z.zero (T.Claim (numberOf id)) ignore
      | _ ->
          let seconds = Z.of_int (1 + below (if below 3 = 0 then 3 * day else day)) in
          run 12 0 0 seconds (T.Wait seconds) ignore
  done

let () =
  match Sys.argv with
  | [| _; "vault"; calls; s |] ->
      seed := Int64.of_string s;
      vaultTrace (int_of_string calls)
  | [| _; "term"; calls; s |] ->
      seed := Int64.of_string s;
      termTrace (int_of_string calls)
  | _ -> prerr_endline "usage: trace vault|term <calls> <seed>"; exit 2
