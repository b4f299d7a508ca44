-- Drives a real Neovim: opens the plan named by $PLAN, waits for the server, and writes what it sees to $OUT as JSON.
local out = {}

local function server(root)
  return vim.lsp.start_client({
    name = "plancheck",
    cmd = { vim.env.PYTHON, "-m", "plancheck", "lsp" },
    root_dir = root,
  })
end

local function finish(problem)
  out.problem = problem
  local file = io.open(vim.env.OUT, "w")
  file:write(vim.fn.json_encode(out))
  file:close()
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  vim.cmd("qall!")
end

local function shown(buffer)
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    local line = vim.api.nvim_buf_get_lines(buffer, item.lnum, item.lnum + 1, false)[1]
    table.insert(found, { code = item.code, line = item.lnum, text = line:sub(item.col + 1, item.end_col) })
  end
  return found
end

local function ask(buffer, method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 10000)
  assert(not problem, problem)
  for _, answer in pairs(answers) do
    assert(not answer.err, vim.inspect(answer.err))
    return answer.result
  end
end

local function until_true(check)
  assert(vim.wait(20000, check, 20), "nothing came in time")
end

local function run()
  vim.cmd("edit " .. vim.env.PLAN)
  local buffer = vim.api.nvim_get_current_buf()
  local client = server(vim.fn.fnamemodify(vim.env.PLAN, ":h"))
  vim.lsp.buf_attach_client(buffer, client)
  until_true(function() return #vim.diagnostic.get(buffer) > 0 end)
  out.diagnostics = shown(buffer)
  local encoding = vim.lsp.get_client_by_id(client).offset_encoding
  out.encoding = encoding
  out.pulls = vim.lsp.protocol.make_client_capabilities().textDocument.diagnostic ~= nil
  out.version = { vim.version().major, vim.version().minor }

  -- Show the lenses, and run the one above the first step, which names a command of the editor's.
  assert(load(vim.env.LENS_COMMAND))()
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.lsp.codelens.refresh()
  until_true(function() return #vim.lsp.codelens.get(buffer) > 0 end)
  out.lenses = {}
  for _, lens in ipairs(vim.lsp.codelens.get(buffer)) do
    table.insert(out.lenses, { line = lens.range.start.line, title = lens.command.title, command = lens.command.command })
  end
  vim.api.nvim_win_set_cursor(0, { 5, 12 })
  vim.lsp.codelens.run()
  until_true(function() return #vim.fn.getqflist() > 0 end)
  out.listed = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    table.insert(out.listed, { line = item.lnum, column = item.col })
  end
  vim.cmd("cclose")

  -- Hover over the first step's idx.
  vim.api.nvim_win_set_cursor(0, { 5, 12 })
  local place = vim.lsp.util.make_position_params(0, encoding)
  out.hover = ask(buffer, "textDocument/hover", place).contents.value

  -- Rename the step, and apply what comes back.
  local rename = vim.tbl_extend("force", place, { newName = "70" })
  vim.lsp.util.apply_workspace_edit(ask(buffer, "textDocument/rename", rename), encoding)
  out.renamed = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")

  -- Choose the action that suppresses the first diagnostic, and see it go.
  local first = vim.diagnostic.get(buffer)[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col + 1 })
  local cursor = vim.lsp.util.make_position_params(0, encoding)
  local params = {
    textDocument = cursor.textDocument,
    range = { start = cursor.position, ["end"] = cursor.position },
    context = { diagnostics = {} },
  }
  for _, action in ipairs(ask(buffer, "textDocument/codeAction", params)) do
    if action.title == "Ignore `" .. first.code .. "` in this file" then
      out.action = action.title
      vim.lsp.util.apply_workspace_edit(action.edit, encoding)
      break
    end
  end
  out.suppressed = first.code
  until_true(function()
    for _, item in ipairs(vim.diagnostic.get(buffer)) do
      if item.code == first.code then return false end
    end
    return true
  end)
  out.after = shown(buffer)
end

local ok, problem = xpcall(run, debug.traceback)
finish(not ok and problem or nil)
