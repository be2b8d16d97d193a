-- Stores the ticket of a single job, 'ticket', with its id. 'accepted' is the number of earlier jobs of its queue.

if ticket then
  call('HSET', PREFIX .. 'tickets', ticket, id)
  if accepted % SPREAD_EVERY == 0 then
    call('HSET', PREFIX .. 'tickets', LONG_FIELD, '')
    call('HDEL', PREFIX .. 'tickets', LONG_FIELD)
  end
end
