-- Files of the documents that a message brought beside the results: images, texts, further PDFs. What they
-- are is in the report.
alter table results add column document_files text[] not null default '{}';
alter table unmatched_results add column document_files text[] not null default '{}';
