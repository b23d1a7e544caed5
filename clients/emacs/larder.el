;;; larder.el --- Pick, show, insert and complete items of APIs  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, data

;;; Commentary:

;; `M-x larder' picks an item of a resource of the catalog and shows it; RET inserts the field at point there.
;; `larder-recents' looks again for what was looked for.  `larder-completion-at-point' completes `character/ri' to names
;; of items, `larder-eldoc-function' tells of `character/2' at point.  Nothing waits for an answer, but a completion,
;; which any key ends.

;;; Code:

(require 'larder-catalog)
(require 'thingatpt)

(defcustom larder-remember t
  "Whether what is looked for is remembered, by larder itself."
  :type 'boolean :group 'larder)

(defcustom larder-limit 20
  "How many items a completion offers."
  :type 'integer :group 'larder)

(defvar-local larder-resource nil "The resource of ids and of beginnings of names that stand alone in this buffer.")

(defvar larder--under-way nil "The request whose answer the user waits for.")
(defvar larder--origin nil "The marker of where the user was when it was asked for.")

(defvar-local larder--shown nil "What the buffer shows: (ITEM ORIGIN AGAIN).")

(defun larder--here ()
  "Where the user is: fields are inserted there.
In a preview this is where the one was from which it was asked for."
  (setq larder--origin (or (nth 1 larder--shown) (point-marker))))

(defun larder--moved ()
  "Take back what is under way once the user has moved on in the buffer."
  (when (and larder--origin (eq (current-buffer) (marker-buffer larder--origin)) (/= (point) larder--origin))
    (larder--forget)))

(defun larder--forget ()
  "Take back what is under way."
  (remove-hook 'post-command-hook #'larder--moved)
  (larder-cancel larder--under-way)
  (setq larder--under-way nil))

(defun larder--ask-for (method params callback)
  "Ask METHOD with PARAMS for what the user waits for.
CALLBACK has the result alone."
  (larder--forget)
  (add-hook 'post-command-hook #'larder--moved)
  (setq larder--under-way
        (larder-ask method params
                    (lambda (failure result)
                      (remove-hook 'post-command-hook #'larder--moved)
                      (setq larder--under-way nil)
                      (if failure (larder-tell-failure failure) (funcall callback result))))))

;; The preview

(defvar larder-item-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'larder-insert)
    (define-key map "w" #'larder-copy)
    (define-key map "g" #'larder-refresh)
    map))

(define-derived-mode larder-item-mode special-mode "Larder"
  "An item, a field a line.
\\{larder-item-mode-map}"
  (setq truncate-lines t))

(defun larder--ordered (resource item)
  "The names of the fields of ITEM, those that RESOURCE names first."
  (let ((names (larder--names item)) (fields (larder-resource-fields resource)))
    (append (cl-remove-if-not (lambda (name) (member name names)) fields)
            (cl-remove-if (lambda (name) (member name fields)) names))))

(defun larder--show (resource result origin again)
  "Show the item of RESULT, of RESOURCE; AGAIN asks for it anew.
ORIGIN is where its fields are inserted."
  (let* ((item (plist-get result :item)) (names (larder--ordered resource item))
         (width (apply #'max 1 (mapcar (lambda (name) (string-width (larder-one-line name))) names))) (inhibit-read-only t))
    (with-current-buffer (get-buffer-create "*larder*")
      (larder-item-mode)
      (erase-buffer)
      (insert (propertize (larder-one-line (format "%s %s" (larder-resource-name resource)
                                                   (larder-text (larder-id resource item))))
                          'face 'bold)
              "\n")
      (dolist (name names)
        (insert (propertize (concat (propertize (string-pad (larder-one-line name) width)
                                                'face 'font-lock-variable-name-face)
                                    "  " (larder-one-line (plist-get item (larder--key name))) "\n")
                            'larder-field name)))
      (insert (propertize (larder-provenance result) 'face 'shadow) "\n")
      (goto-char (point-min))
      (forward-line 1)
      (setq larder--shown (list item origin again))
      (pop-to-buffer (current-buffer) '((display-buffer-below-selected) (window-height . fit-window-to-buffer))))))

(defun larder--field ()
  "The text of the field on this line."
  (let ((name (get-text-property (point) 'larder-field)))
    (unless name
      (user-error "There is no field on this line"))
    (larder-text (plist-get (car larder--shown) (larder--key name)))))

(defun larder-insert ()
  "Insert the field on this line where the item was asked for."
  (interactive)
  (let ((text (larder--field)) (origin (nth 1 larder--shown)))
    (unless (buffer-live-p (marker-buffer origin))
      (user-error "The buffer is gone in which this was asked for"))
    (quit-window)
    (pop-to-buffer (marker-buffer origin))
    (goto-char origin)
    (insert text)))

(defun larder-copy ()
  "Copy the field on this line."
  (interactive)
  (kill-new (larder--field))
  (quit-window))

(defun larder-refresh ()
  "Ask the API for this item anew."
  (interactive)
  (let ((again (nth 2 larder--shown)))
    (if again (funcall again "none") (user-error "This item has no id to ask for"))))

(defun larder--get (resource params origin &optional policy)
  "Ask for the item of RESOURCE that PARAMS name, by the cache POLICY.
Show it for ORIGIN."
  (larder--ask-for (concat (larder-resource-name resource) "/get")
                   (append params (and policy (list :cachePolicy policy)))
                   (lambda (result)
                     (larder--show resource result origin
                                   (lambda (policy) (larder--get resource params origin policy))))))

;; The steps of picking

(defun larder--choose (resource request result origin)
  "Let the user choose of RESULT, what REQUEST has brought of RESOURCE, for ORIGIN."
  (let* ((items (append (plist-get result :items) nil)) (page (plist-get result :page)) (next (plist-get page :next))
         (more (and next (format "more: page %s%s" next
                                 (if (plist-get page :pages) (format " of %s" (plist-get page :pages)) ""))))
         (labels (append (larder-labels resource items) (and more (list (list more)))))
         (name (larder-resource-name resource)))
    (if (null labels)
        (larder-tell "no %s is like that" name)
      (let* ((prompt (format "%s (%s): " name (larder-provenance result)))
             ;; The order is the API's.
             (table (lambda (string predicate action)
                      (if (eq action 'metadata)
                          '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
                        (complete-with-action action labels string predicate))))
             (choice (completing-read prompt table nil t))
             (item (cdr (assoc choice labels))))
        (cond ((equal choice more)
               (larder--list resource (list (car request) (plist-put (cl-copy-list (cadr request)) :page next)
                                            (nth 2 request))
                             origin))
              ((null item))
              ((and (larder-resource-get resource) (larder-id resource item))
               (larder--get resource (append (list :id (larder-id resource item)) (nth 2 request)) origin))
              (t (larder--show resource (append (list :item item) result) origin nil)))))))

(defun larder--list (resource request origin)
  "Ask for what REQUEST names of RESOURCE, for ORIGIN."
  (if (string-suffix-p "/get" (car request))
      (larder--get resource (cadr request) origin)
    (larder--ask-for (car request) (cadr request)
                     (lambda (result) (larder--choose resource request result origin)))))

(defun larder--look-for (resource text origin)
  "Look for TEXT in RESOURCE, for ORIGIN."
  (let ((whole text))
    (dolist (name (larder-open-scope resource text))
      (let ((value (read-string (format "%s, %s: " (larder-resource-name resource) name))))
        (setq whole (format "%s=%s %s" name value whole))))
    (let ((request (larder-request-for resource whole)))
      (if (stringp request)
          (larder-tell "%s" request)
        (when (and larder-remember (not (string-blank-p text)))
          (larder-ask "recents/add" (list :text text :scope (larder-resource-name resource)) #'ignore))
        (larder--list resource request origin)))))

(defun larder--read-resource-name (prompt name)
  "The resource NAME, or the one that is chosen at PROMPT.
Where there is none, say so and return nil."
  (let* ((names (mapcar #'larder-resource-name larder--resources))
         (name (or name (if (cdr names) (completing-read prompt names nil t) (car names)))))
    (or (larder-resource-named name)
        (progn (larder-tell "there is no resource '%s'; there are %s" name (string-join names ", "))
               nil))))

(defun larder--with-recents (resource callback)
  "Call CALLBACK with what was looked for in RESOURCE, the newest first."
  (larder--ask-for "recents/list" (list :scope (larder-resource-name resource))
                   (lambda (result) (funcall callback (append (plist-get result :recents) nil)))))

;;;###autoload
(defun larder (&optional name text)
  "Pick an item of the resource NAME that TEXT finds; both are asked for.
Words of TEXT such as status=Dead are filters of the list, or parents of
the resource; id=7 is that item."
  (interactive)
  (let ((origin (larder--here)))
    (larder-with-resources
     (lambda ()
       (when-let ((resource (larder--read-resource-name "larder: " name)))
         (if text
             (larder--look-for resource text origin)
           (larder--with-recents
            resource
            (lambda (recents)
              (larder--look-for resource (completing-read (format "%s: " (larder-resource-name resource)) recents)
                                origin)))))))))

;;;###autoload
(defun larder-recents (&optional name)
  "Look again for what was looked for in the resource NAME."
  (interactive)
  (let ((origin (larder--here)))
    (larder-with-resources
     (lambda ()
       (when-let ((resource (larder--read-resource-name "larder, recent: " name)))
         (larder--with-recents
          resource
          (lambda (recents)
            (if (null recents)
                (larder-tell "nothing was looked for yet in %s" (larder-resource-name resource))
              (larder--look-for resource (completing-read "again: " recents nil t) origin)))))))))

(provide 'larder)
(require 'larder-at-point)
;;; larder.el ends here
