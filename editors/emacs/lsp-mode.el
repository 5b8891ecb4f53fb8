(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '("\\.tofumerge\\.hcl\\'" . "tofumerge"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("tofumerge" "lsp"))
                    :activation-fn (lsp-activate-on "terraform" "tofumerge")
                    :add-on? t
                    :server-id 'tofumerge)))
