;;; larder-catalog.el --- Resources of a catalog, their requests and items  -*- lexical-binding: t -*-

;;; Commentary:

;; The resources from `rpc.discover', the conversion of typed text to a request, and items as text.

;;; Code:

(require 'larder-process)

(cl-defstruct larder-resource name get list fields filters text scope id-key)

(defconst larder--known-params
  '("id" "ids" "fields" "cachePolicy" "maxAge" "page" "filter" "text" "limit" "offset" "observer" "maxPages"
    "workDoneToken")
  "Names of the params that are not parents of a resource.")

(defconst larder--text-filters '("q" "query" "search" "text" "name" "title")
  "Names of filters for free text, in order of preference.")

(defvar larder--resources nil "The resources of the catalog, or nil before it is loaded.")
(defvar larder--scopes nil "An alist of resource names and the parents of the last request.")
(add-hook 'larder-ended-hook (lambda () (setq larder--resources nil)))

(defun larder--key (name)
  "Return NAME as the key of a plist."
  (intern (concat ":" name)))

(defun larder--names (plist)
  "Return the keys of PLIST as strings."
  (cl-loop for key in plist by #'cddr collect (substring (symbol-name key) 1)))

(defun larder--read-resource (document name verbs)
  "Return the resource NAME of DOCUMENT; VERBS is the alist of its methods."
  (let* ((schemas (plist-get (plist-get document :components) :schemas))
         (fields (plist-get (plist-get schemas (larder--key (concat "item." name))) :required))
         (method (cdr (or (assoc "list" verbs) (assoc "get" verbs) (assoc "search" verbs))))
         (params (append (plist-get method :params) nil))
         (filter (cl-find "filter" params :key (lambda (param) (plist-get param :name)) :test #'equal))
         (filters (plist-get (plist-get filter :schema) :properties))
         (info (plist-get (plist-get document :x-larder-resources) (larder--key name)))
         ;; Older versions of larder do not report the id field of a resource.
         (id-field (if info (plist-get info :idField) "id")))
    (make-larder-resource
     :name name :id-key (and id-field (larder--key id-field)) :get (assoc "get" verbs) :list (assoc "list" verbs) :fields (append fields nil) :filters filters
     :text (cl-find-if (lambda (text) (plist-member filters (larder--key text))) larder--text-filters)
     :scope (cl-set-difference (mapcar (lambda (param) (plist-get param :name)) params) larder--known-params
                               :test #'equal))))

(defun larder--read-resources (document)
  "Return the resources of DOCUMENT, sorted by name."
  (let (found)
    (mapc (lambda (method)
            (pcase (split-string (plist-get method :name) "/")
              (`(,name ,verb) (push (cons verb method) (alist-get name found nil nil #'equal)))))
          (plist-get document :methods))
    ;; Only resources have a `search' method.
    (sort (cl-loop for (name . verbs) in found
                   when (assoc "search" verbs) collect (larder--read-resource document name verbs))
          (lambda (a b) (string< (larder-resource-name a) (larder-resource-name b))))))

(defun larder-with-resources (callback)
  "Load the catalog and call CALLBACK; show a message if loading fails."
  (if larder--resources
      (funcall callback)
    (larder-ask "rpc.discover" nil
                (lambda (failure document)
                  (if failure
                      (larder-tell-failure failure)
                    (setq larder--resources (larder--read-resources document))
                    (funcall callback))))))

(defun larder-resource-named (name)
  "Return the resource NAME, or nil."
  (cl-find name larder--resources :key #'larder-resource-name :test #'equal))

(defun larder--resource-ending (text)
  "Return the resource whose name is TEXT or a suffix of it after a dot, or nil.
Names may contain dots themselves."
  (let (found)
    (while (and text (not (setq found (larder-resource-named text))))
      (setq text (and (string-match "\\." text) (substring text (match-end 0)))))
    found))

(defun larder--value (schema text)
  "Convert TEXT to the type in the SCHEMA of a filter."
  (or (and (member (plist-get schema :type) '("integer" "number" "boolean"))
           (ignore-errors (json-parse-string text :false-object :json-false)))
      text))

(defun larder-scope (resource)
  "Return the parents of the last request to RESOURCE as a plist."
  (copy-sequence (alist-get (larder-resource-name resource) larder--scopes nil nil #'equal)))

(defun larder-open-scope (resource text)
  "Return the names of the parents of RESOURCE that have no value yet.
A parent gets its value from TEXT or from the last request."
  (cl-remove-if (lambda (name)
                  (or (plist-get (larder-scope resource) (larder--key name))
                      (string-match-p (concat "\\(?:^\\| \\)" (regexp-quote name) "=") text)))
                (larder-resource-scope resource)))

(defun larder-request-for (resource text)
  "Convert TEXT, typed for RESOURCE, to a request (METHOD PARAMS SCOPE LIST).
For a search without a match, LIST contains the params of the list.
If TEXT is invalid, return an error message, a string."
  (let ((name (larder-resource-name resource)) (scope (larder-scope resource))
        (filters (larder-resource-filters resource)) (by (larder-resource-text resource)) id filter words)
    (catch 'wrong
      (dolist (word (split-string text))
        (if (not (string-match "\\`\\([[:alnum:]_.-]+\\)=\\(.*\\)\\'" word))
            (push word words)
          (let* ((key (match-string 1 word)) (value (match-string 2 word)) (symbol (larder--key key)))
            (cond ((member key (larder-resource-scope resource)) (setq scope (plist-put scope symbol value)))
                  ((plist-member filters symbol)
                   (setq filter (plist-put filter symbol (larder--value (plist-get filters symbol) value))))
                  ((and (equal key "id") (larder-resource-get resource)) (setq id value))
                  (t (throw 'wrong
                            (format "'%s' has no filter '%s'; use one of %s" name key
                                    (string-join `("id" ,@(larder-resource-scope resource) ,@(larder--names filters))
                                                 ", "))))))))
      (setf (alist-get name larder--scopes nil nil #'equal) scope)
      (setq words (string-join (nreverse words) " "))
      (when (and (larder-resource-get resource) (not (larder-resource-list resource)) (not (string-empty-p words)))
        (setq id (or id words))) ; without a list, the text can only be an id
      (cond (id (list (concat name "/get") (append (list :id id) scope) scope))
            ((and (larder-resource-list resource)
                  (or (string-empty-p words) (and by (not (plist-member filter (larder--key by))))))
             (unless (string-empty-p words)
               (setq filter (plist-put filter (larder--key by) words)))
             (list (concat name "/list") (append (and filter (list :filter filter)) scope) scope))
            ;; The list has no filter for free text, so the cache is searched instead.
            (t (let ((params (append (and filter (list :filter filter)) scope)))
                 (list (concat name "/search")
                       (append (unless (string-empty-p words) (list :text words)) params)
                       scope (and (larder-resource-list resource) (list params)))))))))

(defun larder-text (value)
  "Return the text to insert for VALUE: a string unchanged, other values as JSON."
  (cond ((stringp value) value)
        ((null value) "")
        ((eq value :json-false) "false")
        ((eq value t) "true")
        ((numberp value) (format "%s" value))
        (t (let ((text (json-serialize value :null-object nil :false-object :json-false)))
             (if (multibyte-string-p text) text (decode-coding-string text 'utf-8))))))

(defun larder-one-line (value)
  "Return VALUE as text in one line."
  (string-trim (replace-regexp-in-string "[[:space:][:cntrl:]]+" " " (larder-text value))))

(defun larder-name (item)
  "Return a readable name of ITEM."
  (or (cl-loop for field in '(:name :title :label :subject :login :full_name :tag :message :summary :url)
               for value = (plist-get item field)
               when (and (stringp value) (not (string-empty-p value))) return (larder-one-line value))
      (larder-one-line (plist-get item :id))))

(defun larder-id (resource item)
  "Return the id with which a get returns ITEM of RESOURCE.
Return nil if no field contains the id."
  (when-let ((key (larder-resource-id-key resource)))
    (plist-get item key)))

(defun larder-label (resource item)
  "Return ITEM of RESOURCE in one line, with its id."
  (let ((id (larder-one-line (or (larder-id resource item) (plist-get item :id) (plist-get item :number))))
        (name (larder-name item)))
    (cond ((string-empty-p name) id)
          ((member id (list "" name)) name)
          (t (format "%s  %s" id name)))))

(defun larder-labels (resource items)
  "Return an alist of unique labels and ITEMS of RESOURCE.
If several items have the same label, the label gets a number."
  (let ((seen (make-hash-table :test #'equal)))
    (mapcar (lambda (item)
              (let* ((label (larder-label resource item)) (own label) (count 1))
                (while (gethash own seen)
                  (setq count (1+ count) own (format "%s (%d)" label count)))
                (puthash own t seen)
                (cons own item)))
            items)))

(defun larder-age (moment)
  "Return the age of MOMENT as text, for example \"3 min old\".
MOMENT is a string such as 2026-11-21T10:35:32.478Z."
  (let ((passed (ignore-errors
                  ;; Not every Emacs version parses fractions of seconds.
                  (floor (float-time (time-subtract
                                      nil (date-to-time (replace-regexp-in-string "\\.[0-9]+Z\\'" "Z" moment))))))))
    (cond ((null passed) "of unknown age")
          ((< passed 5) "just now")
          ((cl-loop for (least seconds unit) in '((172800 86400 "d") (7200 3600 "h") (120 60 "min") (5 1 "s"))
                    when (>= passed least) return (format "%d %s old" (/ passed seconds) unit))))))

(defun larder-provenance (result)
  "Return the source and age of RESULT in one line."
  (if (not (plist-get result :source))
      "from the cache"
    (concat (format "from %s, %s"
                    (pcase (plist-get result :source)
                      ("remote" "the API") ("memory" "the cache (memory)") ("persistence" "the cache (disk)")
                      ("shared" "the shared level") (place place))
                    (larder-age (plist-get result :fetchedAt)))
            (and (eq (plist-get result :stale) t) ", stale")
            (when-let ((fallback (plist-get result :fallback)))
              (concat "; the API failed: " (larder-one-line (plist-get fallback :message)))))))

(provide 'larder-catalog)
;;; larder-catalog.el ends here
