;; What the scripts for Emacs share. Each uses tofumerge lsp as a person does, and notes what
;; Emacs shows. It runs in the directory of the module, with the setup in the file $RECIPE.
(require 'package)
(package-initialize)

(defvar noted nil)
(defun note (format &rest args) (push (apply #'format format args) noted))

(defun finish (status)
  (with-temp-file (getenv "RESULT")
    (insert (mapconcat #'identity (reverse noted) "\n") "\n"))
  (kill-emacs status))

(defun need (feature name)
  (unless (require feature nil t)
    (note "no %s" name)
    (finish 0)))

(defun wait-for (what done)
  (let ((end (+ (float-time) 120)))
    (while (and (not (funcall done)) (< (float-time) end))
      (accept-process-output nil 0.01))
    (unless (funcall done)
      (error "no %s" what))))

(define-derived-mode hcl-mode prog-mode "HCL")
(define-derived-mode terraform-mode hcl-mode "Terraform")
(add-to-list 'auto-mode-alist '("\\.tf\\'" . terraform-mode))
(add-to-list 'auto-mode-alist '("\\.hcl\\'" . hcl-mode))

(defun run (drive)
  (condition-case err
      (progn (funcall drive) (finish 0))
    (error (note "failed: %S" err) (finish 1))))
