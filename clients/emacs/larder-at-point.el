;;; larder-at-point.el --- Show and complete items at point  -*- lexical-binding: t -*-

;;; Commentary:

;; Shows the item that `character/2' at point names, and completes `character/ri'.

;;; Code:

(require 'larder-catalog)
(require 'seq)

(defvar larder-resource)
(defvar larder-limit)
(declare-function larder--get "larder")
(declare-function larder--here "larder")

(defun larder--item-at-point ()
  "Return the resource and the id that the text at point names, or nil.
The catalog must be loaded."
  (let (found)
    (save-excursion
      (let ((place (point)) (end (line-end-position)))
        (beginning-of-line)
        (while (and (not found) (re-search-forward "\\([[:alnum:]_.-]+\\)[/:]\\([[:alnum:]_%-]+\\)" end t))
          (let* ((name-end (match-end 1)) (stop (match-end 0)) (id (match-string-no-properties 2))
                 (resource (larder--resource-ending (match-string-no-properties 1))))
            (if (and resource (<= (- name-end (length (larder-resource-name resource))) place stop))
                (setq found (list resource id))
              ;; The id of this match may be the resource of the next one, as in `api/character/2'.
              (goto-char name-end))))))
    (or found
        (when-let ((resource (and larder-resource (larder-resource-named larder-resource)))
                    (id (thing-at-point 'symbol)))
          (list resource (substring-no-properties id))))))

(defun larder--params-at-point ()
  "Return the resource and the get params of the item at point, or nil."
  (pcase (larder--item-at-point)
    (`(,resource ,id)
     (when (and (larder-resource-get resource) (null (larder-open-scope resource "")))
       (list resource (append (list :id id) (larder-scope resource)))))))

;;;###autoload
(defun larder-at-point ()
  "Show the item that the text at point names, for example character/2."
  (interactive)
  (let ((origin (larder--here)) (buffer (current-buffer)))
    (larder-with-resources
     (lambda ()
       (pcase (and (buffer-live-p buffer) (with-current-buffer buffer (larder--params-at-point)))
         (`(,resource ,params) (larder--get resource params origin))
         (_ (larder-tell "no item at point; write RESOURCE/ID, or set `larder-resource'")))))))

(defvar larder--eldoc nil "The pending request of `larder-eldoc-function'.")
(defvar larder--eldoc-place nil "The buffer and point of the pending request of `larder-eldoc-function'.")

(defun larder--eldoc-moved ()
  "Cancel the request of `larder-eldoc-function' if point has moved."
  (unless (equal larder--eldoc-place (list (current-buffer) (point)))
    (remove-hook 'post-command-hook #'larder--eldoc-moved)
    (larder-cancel larder--eldoc)
    (setq larder--eldoc nil)))

;;;###autoload
(defun larder-eldoc-function (callback &rest _)
  "Call CALLBACK with a description of the item at point.
Add this function to `eldoc-documentation-functions'.  It needs the
catalog, which another command must have loaded."
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
                           ;; Errors are not shown: a message at each movement of point would disturb the user.
                           (unless failure
                             (funcall callback
                                      (format "%s (%s)" (larder-name (plist-get result :item))
                                              (larder-provenance result))
                                      :thing title))))))
     t)))

;; Completion waits until the reply arrives or the user presses a key.

(defun larder--await (method params)
  "Wait for the result of METHOD with PARAMS and return it; nil after an error.
If the user presses a key first, cancel the request and return nil."
  (let* (done found
         (request (larder-ask method params (lambda (_failure result) (setq done t found result)))))
    (unwind-protect
        (while (not (or done (input-pending-p)))
          (accept-process-output nil 0.05))
      (unless done
        (larder-cancel request)))
    found))

(defun larder--offered (resource text)
  "Return the names of the items of RESOURCE that match TEXT.
Each name has its item as a text property."
  (let* ((scope (larder-scope resource)) (name (larder-resource-name resource)) (by (larder-resource-text resource))
         (blank (string-empty-p text))
         (result (larder--await (concat name "/search")
                                (append (unless blank (list :text text)) (list :limit larder-limit) scope)))
         (items (plist-get result :items)))
    ;; The cache has no match, so the list of the API is searched.
    (when (and result (seq-empty-p items) (larder-resource-list resource) (or blank by))
      (setq result (larder--await (concat name "/list")
                                  (append (unless blank (list :filter (list (larder--key by) text))) scope))
            items (plist-get result :items)))
    (mapcar (lambda (item) (propertize (larder-name item) 'larder-item item)) items)))

(defun larder--await-resources ()
  "Wait until the catalog is loaded or a key is pressed.
Return whether it is loaded."
  (or larder--resources
      (when-let ((document (larder--await "rpc.discover" nil)))
        (setq larder--resources (larder--read-resources document)))))

;; TEXT may match any word of a name.  The usual completion styles drop names that do not start with the text.  This
;; style offers all names that larder has found.

(defun larder--style-all (string table predicate _point)
  "Return all completions of STRING in TABLE that satisfy PREDICATE."
  (all-completions string table predicate))

(defun larder--style-try (string table predicate point)
  "Complete STRING to the only completion in TABLE that satisfies PREDICATE.
If there are several completions, return STRING and POINT."
  (let ((all (all-completions string table predicate)))
    (cond ((null all) nil)
          ((cdr all) (cons string point))
          ((equal (car all) string) t)
          (t (cons (car all) (length (car all)))))))

(add-to-list 'completion-styles-alist
             '(larder larder--style-try larder--style-all "All items that larder has found."))
(add-to-list 'completion-category-defaults '(larder (styles larder)))

;;;###autoload
(defun larder-completion-at-point ()
  "Complete RESOURCE/TEXT before point to the names of items.
Add this function to `completion-at-point-functions'."
  (let* ((end (point))
         (start (save-excursion (skip-chars-backward "^/ \t\n\"'()") (point)))
         (slash (and (eq (char-before start) ?/) (1- start)))
         (first (and slash (save-excursion (goto-char slash) (skip-chars-backward "[:alnum:]_.-") (point))))
         (name (if slash (buffer-substring-no-properties first slash) larder-resource)))
    (when (and name (not (string-empty-p name)) (larder--await-resources))
      (when-let ((resource (larder--resource-ending name)))
        ;; The text may have a prefix before the resource name, which stays unchanged.
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
