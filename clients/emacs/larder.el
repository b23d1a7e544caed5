;;; larder.el --- Pick, show, insert and complete items of APIs  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, data

;;; Commentary:

;; `M-x larder' picks an item of a resource of the catalog and shows it; RET there inserts the field at point.
;; `larder-recents' repeats a recent search.  `larder-completion-at-point' completes `character/ri' to names of items.
;; `larder-eldoc-function' describes `character/2' at point.  Only completion blocks Emacs, until the reply or the next
;; key.

;;; Code:

(require 'larder-query)
(require 'thingatpt)

(defcustom larder-remember t
  "Whether larder stores the searches."
  :type 'boolean :group 'larder)

(defcustom larder-limit 20
  "Maximum number of items in a completion."
  :type 'integer :group 'larder)

(defvar-local larder-resource nil
  "The name of the resource of this buffer, or nil.
It applies to ids and texts without a resource name.")

(defvar larder--under-way nil "The request that the user waits for.")
(defvar larder--origin nil "The marker of point at the time of the request that the user waits for.")

(defvar-local larder--shown nil "The item that this buffer shows: (ITEM ORIGIN AGAIN).")

(defun larder--here ()
  "Return a marker of the position at which fields are inserted: point.
In a preview, return the position from which the preview was opened."
  (setq larder--origin (or (nth 1 larder--shown) (point-marker))))

(defun larder--moved ()
  "Cancel the pending request if point has moved in its buffer."
  (when (and larder--origin (eq (current-buffer) (marker-buffer larder--origin)) (/= (point) larder--origin))
    (larder--cancel-pending)))

(defun larder--cancel-pending ()
  "Cancel the pending request."
  (remove-hook 'post-command-hook #'larder--moved)
  (larder-cancel larder--under-way)
  (setq larder--under-way nil))

(defun larder--ask-for (method params callback)
  "Send the request that the user waits for: METHOD with PARAMS.
Cancel the previous request.  CALLBACK gets the result; errors are shown."
  (larder--cancel-pending)
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
  "Mode of the buffer that shows an item, one field per line.
\\{larder-item-mode-map}"
  (setq truncate-lines t))

(defun larder--ordered (resource item)
  "Return the field names of ITEM, in the order of RESOURCE."
  (let ((names (larder--names item)) (fields (larder-resource-fields resource)))
    (append (cl-remove-if-not (lambda (name) (member name names)) fields)
            (cl-remove-if (lambda (name) (member name fields)) names))))

(defun larder--show (resource result origin again)
  "Show the item of RESULT, which belongs to RESOURCE.
Fields are inserted at ORIGIN.  AGAIN is a function that requests the
item again, or nil."
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
  "Return the text of the field on this line."
  (let ((name (get-text-property (point) 'larder-field)))
    (unless name
      (user-error "No field on this line; move point to a field"))
    (larder-text (plist-get (car larder--shown) (larder--key name)))))

(defun larder-insert ()
  "Insert the field on this line where the item was requested."
  (interactive)
  (let ((text (larder--field)) (origin (nth 1 larder--shown)))
    (unless (buffer-live-p (marker-buffer origin))
      (user-error "Cannot insert: the original buffer was killed; copy the field with w"))
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
  "Request this item from the API again."
  (interactive)
  (let ((again (nth 2 larder--shown)))
    (if again (funcall again "none") (user-error "Cannot refresh: this item has no id"))))

(defun larder--get (resource params origin &optional policy)
  "Request the item of RESOURCE with PARAMS and the cache POLICY.
Show it; its fields are inserted at ORIGIN."
  (larder--ask-for (concat (larder-resource-name resource) "/get")
                   (append params (and policy (list :cachePolicy policy)))
                   (lambda (result)
                     (larder--show resource result origin
                                   (lambda (policy) (larder--get resource params origin policy))))))

;; The steps of picking

(defun larder--choose (resource request result origin)
  "Let the user choose an item from RESULT of REQUEST to RESOURCE.
Fields are inserted at ORIGIN."
  (let* ((items (append (plist-get result :items) nil)) (page (plist-get result :page)) (next (plist-get page :next))
         (more (and next (format "more: page %s%s" next
                                 (if (plist-get page :pages) (format " of %s" (plist-get page :pages)) ""))))
         (labels (append (larder-labels resource items) (and more (list (list more)))))
         (name (larder-resource-name resource)))
    (if (null labels)
        (larder-tell "no %s of '%s' matches" (if (string-suffix-p "/search" (car request)) "cached item" "item") name)
      (let* ((prompt (format "%s (%s): " name (larder-provenance result)))
             ;; The items keep the order of the API.
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
  "Send REQUEST to RESOURCE and show the item or the list.
If a search of the cache has no match, fetch the first page of the list
and search again.  Fields are inserted at ORIGIN."
  (pcase-let ((`(,method ,params ,scope ,list) request))
    (if (string-suffix-p "/get" method)
        (larder--get resource params origin)
      (larder--ask-for
       method params
       (lambda (result)
         (if (and list (seq-empty-p (plist-get result :items)))
             (larder--ask-for (concat (larder-resource-name resource) "/list") (car list)
                              (lambda (_) (larder--list resource (list method params scope) origin)))
           (larder--choose resource request result origin)))))))

(defun larder--search (resource text origin)
  "Search TEXT in RESOURCE.  Fields are inserted at ORIGIN."
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
  "Return the resource NAME; if NAME is nil, let the user choose at PROMPT.
If there is no such resource, show a message and return nil."
  (let* ((names (mapcar #'larder-resource-name larder--resources))
         (name (or name (if (cdr names) (completing-read prompt names nil t) (car names)))))
    (or (larder-resource-named name)
        (progn (larder-tell "there is no resource '%s'; use one of %s" name (string-join names ", "))
               nil))))

(defun larder--with-recents (resource callback)
  "Call CALLBACK with the recent searches in RESOURCE, newest first."
  (larder--ask-for "recents/list" (list :scope (larder-resource-name resource))
                   (lambda (result) (funcall callback (append (plist-get result :recents) nil)))))

;;;###autoload
(defun larder (&optional name text)
  "Pick an item of the resource NAME that matches TEXT, and show it.
Interactively, ask for NAME and TEXT.  Words such as status=Dead in TEXT
are filters of the list or parents of the resource; id=7 selects an id."
  (interactive)
  (let ((origin (larder--here)))
    (larder-with-resources
     (lambda ()
       (when-let ((resource (larder--read-resource-name "larder: " name)))
         (if text
             (larder--search resource text origin)
           (larder--with-recents
            resource
            (lambda (recents)
              (larder--search resource (larder--read-query resource recents) origin)))))))))

;;;###autoload
(defun larder-recents (&optional name)
  "Repeat a recent search in the resource NAME."
  (interactive)
  (let ((origin (larder--here)))
    (larder-with-resources
     (lambda ()
       (when-let ((resource (larder--read-resource-name "larder, recent searches: " name)))
         (larder--with-recents
          resource
          (lambda (recents)
            (if (null recents)
                (larder-tell "no recent searches in %s" (larder-resource-name resource))
              (larder--search resource (completing-read "search again: " recents nil t) origin)))))))))

(provide 'larder)
(require 'larder-at-point)
;;; larder.el ends here
