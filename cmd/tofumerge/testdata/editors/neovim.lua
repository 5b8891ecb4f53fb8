-- Drives tofumerge lsp as a person does, and prints what there is to see. It runs in the
-- directory of the module, and is set up by the file $RECIPE.
local out = {}
local function say(format, ...) table.insert(out, string.format(format, ...)) end

local function wait(what, done)
  if not vim.wait(20000, done, 10) then
    say('no %s', what)
    error('no ' .. what)
  end
end

-- Neovim 0.7 has no vim.lsp.start.
vim.lsp.start = vim.lsp.start or function(config)
  local id = vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, id)
  return id
end

-- diagnostics of a file, as LINE: MESSAGE.
local function diagnostics(name)
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(vim.fn.bufnr(name))) do
    table.insert(lines, string.format('%d: %s', d.lnum + 1, d.message))
  end
  table.sort(lines)
  return table.concat(lines, '\n')
end

local function request(method, params)
  local results = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, r in pairs(results or {}) do
    return r.result
  end
end

local function position(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

local function drive()
  dofile(vim.env.RECIPE)
  vim.cmd('edit local_override.tf')
  local client
  wait('attached client', function()
    client = vim.tbl_values((vim.lsp.get_clients or vim.lsp.buf_get_clients)())[1]
    return client ~= nil
  end)

  -- Type what is in effect anyway.
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd([[normal! $ci"m5.large]])
  wait('diagnostics', function() return diagnostics('local_override.tf') ~= '' end)
  say('typed: %s', diagnostics('local_override.tf'))

  local hover = request('textDocument/hover', position(3, 4))
  say('hover: %s', vim.inspect(hover and hover.contents and (hover.contents.value or hover.contents)))

  -- The first action that is offered.
  local titles
  vim.ui.select = function(items, _, choose)
    titles = {}
    for _, item in ipairs(items) do
      local action = item.action or item[2] or item
      table.insert(titles, action.title)
    end
    choose(items[1], 1)
  end
  local before = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  position(3, 4)
  vim.cmd('let &undolevels = &undolevels') -- what follows is undone alone
  vim.lsp.buf.code_action()
  wait('change by a code action', function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') ~= before
  end)
  say('actions: %s', table.concat(titles or {}, ' | '))
  say('after the first:\n%s', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'))
  wait('diagnostics to go', function() return diagnostics('local_override.tf') == '' end)

  vim.cmd('undo')
  wait('diagnostics to come back', function() return diagnostics('local_override.tf') ~= '' end)
  say('undone: %s', diagnostics('local_override.tf'))

  vim.cmd('TofumergeEffective')
  wait('effective configuration', function() return vim.bo.buftype == 'nofile' end)
  say('effective:\n%s', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'))
  vim.cmd('close')

  position(3, 4)
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.expand('%:t') == 'main.tf' end)
  say('definition: %s:%d', vim.fn.expand('%:t'), vim.api.nvim_win_get_cursor(0)[1])

  client.stop()
  wait('end of the server', function() return client.is_stopped() end)
end

local ok, err = pcall(drive)
if not ok then say('failed: %s', tostring(err)) end
vim.fn.writefile(vim.split(table.concat(out, '\n'), '\n'), vim.env.RESULT)
vim.cmd(ok and 'qall!' or 'cquit!')
