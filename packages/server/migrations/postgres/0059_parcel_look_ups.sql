-- When a parcel is looked up at its courier next, and how often that brought nothing new.
alter table shipments
  add column outbound_look_up_at timestamptz,
  add column outbound_look_ups integer not null default 0,
  add column inbound_look_up_at timestamptz,
  add column inbound_look_ups integer not null default 0;

-- Parcels on their way; delivered, returned and lost ones leave the index.
create index shipments_outbound_on_way on shipments (outbound_courier, outbound_look_up_at)
  where outbound_tracking_number is not null
    and (outbound_scan is null or outbound_scan in ('in_transit', 'out_for_delivery', 'exception'));
create index shipments_inbound_on_way on shipments (inbound_courier, inbound_look_up_at)
  where inbound_tracking_number is not null
    and (inbound_scan is null or inbound_scan in ('in_transit', 'out_for_delivery', 'exception'));
