(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((terraform-mode hcl-mode) . ("tofumerge" "lsp"))))
