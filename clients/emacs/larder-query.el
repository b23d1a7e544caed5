;;; larder-query.el --- Read queries in the minibuffer  -*- lexical-binding: t -*-

;;; Commentary:

;; Reads a query such as `status=Dead rick', with completion of recent queries, filters and their values.

;;; Code:

(require 'larder-catalog)

(defun larder--filter-values (resource name)
  "Return NAME=VALUE for each value that the catalog of RESOURCE lists.
NAME is a filter or a parent.  Like completion in a shell, this makes no
requests."
  (let ((verb (if (larder-resource-list resource) "list" "get")))
    ;; A query cannot contain a value with a space.
    (cl-loop for line in (ignore-errors
                           (apply #'process-lines larder-command "complete" "--"
                                  (append larder-arguments
                                          (list verb (larder-resource-name resource) (concat name "=")))))
             when (string-match "\\`\\([^[:space:]]+\\)\t" line) collect (match-string 1 line))))

(defun larder--query-words (resource word)
  "Return the completions for WORD, the last word of a query for RESOURCE.
These are parents and filters, or their values if WORD contains a name."
  (if (string-match "\\`\\([[:alnum:]_.-]+\\)=" word)
      (larder--filter-values resource (match-string 1 word))
    (mapcar (lambda (name) (concat name "="))
            (append (larder-resource-scope resource) (larder--names (larder-resource-filters resource))))))

(defun larder--query-table (resource recents)
  "Return a completion table of queries for RESOURCE, with RECENTS."
  (completion-table-dynamic
   (lambda (text)
     (let ((start (string-match "[^ ]*\\'" text)))
       (append recents (mapcar (lambda (word) (concat (substring text 0 start) word))
                               (larder--query-words resource (substring text start))))))))

(defun larder--read-query (resource recents)
  "Read a query for RESOURCE in the minibuffer.  RECENTS are recent queries."
  (minibuffer-with-setup-hook
      (lambda ()
        ;; By default, SPC completes a word instead of starting the next word of the query.
        (use-local-map (make-composed-keymap '(keymap (?\s . self-insert-command)) (current-local-map))))
    (completing-read (format "%s: " (larder-resource-name resource)) (larder--query-table resource recents))))

(provide 'larder-query)
;;; larder-query.el ends here
