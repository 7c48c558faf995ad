-- Items of uploads and imports that could not be stored are in quarantine.
rename table if exists put_aside_items to quarantined_items;
