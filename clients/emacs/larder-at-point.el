;;; larder-at-point.el --- Items that the text names  -*- lexical-binding: t -*-

;;; Commentary:

;; What `character/2' is, and what `character/ri' may become.

;;; Code:

(require 'larder-catalog)
(require 'seq)

(defvar larder-resource)
(defvar larder-limit)
(declare-function larder--get "larder")
(declare-function larder--here "larder")

(defun larder--item-at-point ()
  "The resource and the id that the text at point names, or nil.
The catalog must have been read."
  (let (found)
    (save-excursion
      (let ((place (point)) (end (line-end-position)))
        (beginning-of-line)
        (while (and (not found) (re-search-forward "\\([[:alnum:]_.-]+\\)[/:]\\([[:alnum:]_%-]+\\)" end t))
          (let* ((name-end (match-end 1)) (stop (match-end 0)) (id (match-string-no-properties 2))
                 (resource (larder--resource-ending (match-string-no-properties 1))))
            (if (and resource (<= (- name-end (length (larder-resource-name resource))) place stop))
                (setq found (list resource id))
              ;; An id may be a name, as in `api/character/2'.
              (goto-char name-end))))))
    (or found
        (when-let ((resource (and larder-resource (larder-resource-named larder-resource)))
                    (id (thing-at-point 'symbol)))
          (list resource (substring-no-properties id))))))

(defun larder--params-at-point ()
  "The resource and the params of a get for the item at point, or nil."
  (pcase (larder--item-at-point)
    (`(,resource ,id)
     (when (and (larder-resource-get resource) (null (larder-open-scope resource "")))
       (list resource (append (list :id id) (larder-scope resource)))))))

;;;###autoload
(defun larder-at-point ()
  "Show the item that the text at point names, as character/2 does."
  (interactive)
  (let ((origin (larder--here)) (buffer (current-buffer)))
    (larder-with-resources
     (lambda ()
       (pcase (and (buffer-live-p buffer) (with-current-buffer buffer (larder--params-at-point)))
         (`(,resource ,params) (larder--get resource params origin))
         (_ (larder-tell "the text here names no item: write RESOURCE/ID, or set `larder-resource'")))))))

(defvar larder--eldoc nil "The request for what eldoc tells.")
(defvar larder--eldoc-place nil "Where it was asked for: a buffer and a point.")

(defun larder--eldoc-moved ()
  "Take back what eldoc asked for once point has moved on."
  (unless (equal larder--eldoc-place (list (current-buffer) (point)))
    (remove-hook 'post-command-hook #'larder--eldoc-moved)
    (larder-cancel larder--eldoc)
    (setq larder--eldoc nil)))

;;;###autoload
(defun larder-eldoc-function (callback &rest _)
  "Tell CALLBACK what the item at point is: for `eldoc-documentation-functions'.
The catalog is read by the first of the other commands."
  (pcase (larder--params-at-point)
    (`(,resource ,params)
     (let ((title (format "%s %s" (larder-resource-name resource) (plist-get params :id))))
       (larder-cancel larder--eldoc)
       (setq larder--eldoc-place (list (current-buffer) (point)))
       (add-hook 'post-command-hook #'larder--eldoc-moved)
       (setq larder--eldoc
             (larder-ask (concat (larder-resource-name resource) "/get") params
                         (lambda (failure result)
                           (remove-hook 'post-command-hook #'larder--eldoc-moved)
                           ;; What cannot be had is not worth a message here.
                           (unless failure
                             (funcall callback
                                      (format "%s (%s)" (larder-name (plist-get result :item))
                                              (larder-provenance result))
                                      :thing title))))))
     t)))

;; Completion asks while the user waits, so each wait ends at the next key.

(defun larder--await (method params)
  "The result of METHOD with PARAMS; nil after an error.
Where a key comes first, the request is taken back, and nil too."
  (let* (over found
         (request (larder-ask method params (lambda (_failure result) (setq over t found result)))))
    (unwind-protect
        (while (not (or over (input-pending-p)))
          (accept-process-output nil 0.05))
      (unless over
        (larder-cancel request)))
    found))

(defun larder--offered (resource text)
  "Names of items of RESOURCE that TEXT finds, each with its item as a property."
  (let* ((scope (larder-scope resource)) (name (larder-resource-name resource)) (by (larder-resource-text resource))
         (blank (string-empty-p text))
         (result (larder--await (concat name "/search")
                                (append (unless blank (list :text text)) (list :limit larder-limit) scope)))
         (items (plist-get result :items)))
    ;; Where the cache has nothing like it, the list may.
    (when (and result (seq-empty-p items) (larder-resource-list resource) (or blank by))
      (setq result (larder--await (concat name "/list")
                                  (append (unless blank (list :filter (list (larder--key by) text))) scope))
            items (plist-get result :items)))
    (mapcar (lambda (item) (propertize (larder-name item) 'larder-item item)) items)))

(defun larder--await-resources ()
  "Whether the catalog was read, which is waited for until the next key."
  (or larder--resources
      (when-let ((document (larder--await "rpc.discover" nil)))
        (setq larder--resources (larder--read-resources document)))))

;; A word within a name finds it too, so what stands in the buffer need not be the beginning of what it becomes: all that
;; was found is offered, which the usual styles would not do.

(defun larder--style-all (string table predicate _point)
  "All of TABLE by PREDICATE, whatever STRING is."
  (all-completions string table predicate))

(defun larder--style-try (string table predicate point)
  "What STRING of TABLE by PREDICATE becomes: the only one, else itself at POINT."
  (let ((all (all-completions string table predicate)))
    (cond ((null all) nil)
          ((cdr all) (cons string point))
          ((equal (car all) string) t)
          (t (cons (car all) (length (car all)))))))

(add-to-list 'completion-styles-alist
             '(larder larder--style-try larder--style-all "What larder has found."))
(add-to-list 'completion-category-defaults '(larder (styles larder)))

;;;###autoload
(defun larder-completion-at-point ()
  "Names of items for RESOURCE/BEGINNING before point.
For `completion-at-point-functions'."
  (let* ((end (point))
         (start (save-excursion (skip-chars-backward "^/ \t\n\"'()") (point)))
         (slash (and (eq (char-before start) ?/) (1- start)))
         (first (and slash (save-excursion (goto-char slash) (skip-chars-backward "[:alnum:]_.-") (point))))
         (name (if slash (buffer-substring-no-properties first slash) larder-resource)))
    (when (and name (not (string-empty-p name)) (larder--await-resources))
      (when-let ((resource (larder--resource-ending name)))
        ;; What stands before the name stays.
        (when first
          (setq first (- slash (length (larder-resource-name resource)))))
        (setq name (larder-resource-name resource))
        (unless (larder-open-scope resource "")
          (let* ((text (buffer-substring-no-properties start end))
                 (offered (larder--offered resource text)))
            (list (or first start) end
                  (lambda (string predicate action)
                    (pcase action
                      ('metadata '(metadata (category . larder) (display-sort-function . identity)))
                      (`(boundaries . ,_) nil)
                      ('t (if predicate (seq-filter predicate offered) offered))
                      ('lambda (and (member string offered) t))
                      ('nil (cond ((null offered) nil) ((cdr offered) string) (t (car offered))))))
                  :exclusive 'no
                  :annotation-function
                  (lambda (text)
                    (when-let ((item (get-text-property 0 'larder-item text)))
                      (format " %s %s" name (larder-text (larder-id resource item))))))))))))

(provide 'larder-at-point)
;;; larder-at-point.el ends here
