; The arithmetic that DemandVault.v rests on. T is totalAssets + 1, S the supply + 10^6, both above 0.
(set-logic QF_NIA)
(declare-const T Int)
(declare-const S Int)
(declare-const assets Int)
(declare-const shares Int)
(declare-const out Int)
(assert (and (> T 0) (> S 0) (>= assets 0) (>= shares 0)))

; The price does not fall where shares are bought at or above it: T / S <= (T + assets) / (S + shares).
(push)
(assert (<= (* shares T) (* assets S)))
(assert (> (* T (+ S shares)) (* (+ T assets) S)))
(check-sat)
(pop)

; Nor where they are given up at or below it.
(push)
(assert (and (<= assets T) (<= shares S) (<= (* assets S) (* shares T))))
(assert (> (* T (- S shares)) (* (- T assets) S)))
(check-sat)
(pop)

; Deposit, then redeem all of it: no more comes out than went in.
(push)
(assert (= shares (div (* assets S) T)))
(assert (= out (div (* shares (+ T assets)) (+ S shares))))
(assert (> out assets))
(check-sat)
(pop)

; Mint, then redeem: no more comes out than was paid.
(push)
(assert (= assets (- (div (- (* shares T)) S))))
(assert (= out (div (* shares (+ T assets)) (+ S shares))))
(assert (> out assets))
(check-sat)
(pop)
